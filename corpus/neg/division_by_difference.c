// property: div-by-zero
// verdict: false
// inputs: 12,12
// note: zero only when both inputs agree
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    if (a < 0 || b < 0) return 0;
    return 100 / (a - b);
}
