// property: valid-deref
// verdict: false
// cause: a negative int as a size
extern void *malloc(unsigned long);

extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 16 || n == 0)
        return 0;
    char *p = malloc(n);
    *p = 0;
    return 0;
}
