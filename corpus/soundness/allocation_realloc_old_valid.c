// property: valid-deref
// verdict: true
// cause: realloc fails, and the old block stays valid
extern void *malloc(unsigned long);

extern void *realloc(void *, unsigned long);
extern void free(void *);
int main(void) {
    char *p = malloc(8);
    char *q = realloc(p, (unsigned long)-1);
    if (!q) {
        p[7] = 1;
        free(p);
    }
    return 0;
}
