// property: unreach-call
// verdict: true
// inputs: 0; 1
// cause: the function that atexit was given last runs first; _exit calls none
extern void reach_error(void);
extern int atexit(void (*)(void));
extern void _exit(int);
extern int __VERIFIER_nondet_int(void);
static int state;
static void first(void) { if (state != 2) reach_error(); }
static void last(void) { state = 2; }
int main(void) {
    atexit(first);
    if (__VERIFIER_nondet_int())
        _exit(0);
    atexit(last);
    return 0;
}
