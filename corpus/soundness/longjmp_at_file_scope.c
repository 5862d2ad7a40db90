// property: unreach-call
// verdict: false
// inputs:
// cause: only the initialiser of an object of file scope names longjmp
typedef long buffer[25];
extern int _setjmp(buffer);
extern void longjmp(buffer, int);
extern void reach_error(void);
static buffer here;
static void (*leave)(buffer, int) = longjmp;
int main(void) {
    if (_setjmp(here) != 0)
        reach_error();
    leave(here, 1);
    return 0;
}
