// property: unreach-call
// verdict: true
// note: setjmp returns twice: control goes back to where it was called
typedef long jmp_buf[25];
extern int _setjmp(jmp_buf state);
extern void longjmp(jmp_buf state, int value);
extern void reach_error(void);

jmp_buf state;

void leave(void) {
    longjmp(state, 3);
}

int main(void) {
    int r = _setjmp(state);
    if (r == 0) {
        leave();
        reach_error();
    }
    if (r != 3) reach_error();
    return 0;
}
