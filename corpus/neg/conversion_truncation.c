// property: unreach-call
// verdict: false
// inputs: 4294967296
// note: a long of LP64 that is not zero becomes an int that is
extern long __VERIFIER_nondet_long(void);
extern void reach_error(void);

int main(void) {
    long big = __VERIFIER_nondet_long();
    int small = big;
    if (big != 0 && small == 0) reach_error();
    return 0;
}
