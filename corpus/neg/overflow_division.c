// property: no-overflow
// verdict: false
// inputs: -2147483648,-1
// note: INT_MIN / -1 is the one quotient that does not fit
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    if (b == 0) return 0;
    return a / b;
}
