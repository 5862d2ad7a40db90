// property: unreach-call
// verdict: true
// data-model: ilp32
// note: in ILP32 a long is as wide as an int, so the same conversion loses nothing
extern long __VERIFIER_nondet_long(void);
extern void reach_error(void);

int main(void) {
    long big = __VERIFIER_nondet_long();
    int small = big;
    if (big != 0 && small == 0) reach_error();
    return 0;
}
