// property: no-overflow
// verdict: false
// inputs: 2147483647
// note: ++ overflows too, although its value is not used
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n >= 0) n++;
    return 0;
}
