// property: div-by-zero
// verdict: true
// note: the divisor is guarded by a short-circuit operator
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    if (b > 0 && a / b > 3) return 1;
    return b > 0 ? a % b : 0;
}
