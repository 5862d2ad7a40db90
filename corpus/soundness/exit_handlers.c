// property: unreach-call
// verdict: false
// inputs: 1
// cause: functions that atexit was given run when the program ends, the last one first
extern void reach_error(void);
extern int atexit(void (*)(void));
extern void exit(int);
extern int __VERIFIER_nondet_int(void);
static int state;
static void first(void) { if (state == 2) reach_error(); }
static void last(void) { state *= 2; }
int main(void) {
    if (atexit(first) || atexit(last))
        return 0;
    state = __VERIFIER_nondet_int();
    if (state == 1)
        exit(0);
    state = 0;
    return 0;
}
