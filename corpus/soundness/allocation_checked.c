// property: valid-deref
// verdict: true
// cause: a negative int as a size, and a test of the result
extern void *malloc(unsigned long);

extern void free(void *);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 16 || n == 0)
        return 0;
    char *p = malloc(n);
    if (p)
        *p = 0;
    free(p);
    return 0;
}
