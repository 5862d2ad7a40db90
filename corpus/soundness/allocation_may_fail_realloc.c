// property: valid-memtrack
// verdict: false
// args: --malloc may-fail
// cause: with the option, realloc fails and its result replaces the pointer
extern void *malloc(unsigned long);

extern void *realloc(void *, unsigned long);
extern void free(void *);
int main(void) {
    char *p = malloc(1);
    if (!p)
        return 0;
    p = realloc(p, 2);
    free(p);
    return 0;
}
