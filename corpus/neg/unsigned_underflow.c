// property: unreach-call
// verdict: false
// inputs: 0
// note: n - 1 of an unsigned zero is large
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 10) return 0;
    unsigned last = n - 1;
    if (last > 10) reach_error();
    return 0;
}
