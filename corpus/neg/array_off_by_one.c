// property: array-bounds
// verdict: false
// inputs: 10
// note: <= where < is meant
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[10];
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 10) return 0;
    for (int i = 0; i <= n; i++) a[i] = i;
    return 0;
}
