// property: unreach-call
// verdict: false
// allowed: unknown
// cause: the allocator may give the same address again
typedef unsigned long size_t;
extern void reach_error(void);
extern void *malloc(size_t);
extern void free(void *);
int main(void) {
    char *old = malloc(24);
    char *kept = old;
    free(old);
    char *fresh = malloc(24);
    if (fresh == kept)
        reach_error();
    free(fresh);
    return 0;
}
