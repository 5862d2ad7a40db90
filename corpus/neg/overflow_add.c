// property: no-overflow
// verdict: false
// inputs: 2147483647,1
// note: the plain signed addition
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    return a + b > 0;
}
