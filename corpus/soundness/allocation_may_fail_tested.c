// property: valid-memsafety
// verdict: true
// args: --malloc may-fail
// cause: with the option, both outcomes are handled
extern void *malloc(unsigned long);

extern void free(void *);
extern void *calloc(unsigned long, unsigned long);
int main(void) {
    int *p = malloc(4);
    if (!p)
        return 1;
    *p = 1;
    int *q = calloc(2, 4);
    if (q)
        q[1] = *p;
    free(q);
    free(p);
    return 0;
}
