// property: array-bounds
// verdict: true
// note: a loop over the whole array, forwards and backwards
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[20];
    int n = sizeof a / sizeof a[0];
    for (int i = 0; i < n; i++) a[i] = i;
    for (int i = n; i-- > 0;) a[i]++;
    int k = __VERIFIER_nondet_int();
    return k >= 0 && k < 20 ? a[k] : 0;
}
