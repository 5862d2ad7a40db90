// property: no-overflow
// verdict: false
// inputs: 70000
// note: the sum 0 + 1 + ... + n leaves int after 65536 terms
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int sum = 0;
    for (int i = 0; i <= n && i < 100000; i++) sum += i;
    return sum == 10;
}
