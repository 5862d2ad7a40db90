// property: no-overflow
// verdict: true
// note: the product of two ints fits a 64-bit type when one factor is widened first
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    long long product = (long long)a * b;
    return product > 0;
}
