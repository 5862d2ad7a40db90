// property: unreach-call
// verdict: false
// inputs:
// cause: longjmp with 0 gives 1
typedef long buffer[25];
extern int _setjmp(buffer);
extern void longjmp(buffer, int);
extern void reach_error(void);

int main(void) {
    buffer here;
    int value = _setjmp(here);
    if (value == 1) reach_error();
    longjmp(here, 0);
}
