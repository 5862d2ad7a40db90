// property: array-bounds
// verdict: true
// note: the size comes from an input and is checked before use
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *p);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n <= 0 || n > 1000) return 0;
    int *a = malloc(n * sizeof(int));
    if (!a) return 0;
    for (int i = 0; i < n; i++) a[i] = i;
    int last = a[n - 1];
    free(a);
    return last;
}
