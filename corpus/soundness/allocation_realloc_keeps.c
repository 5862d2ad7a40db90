// property: valid-memtrack
// verdict: false
// cause: realloc fails, and the old block is lost with its pointer
extern void *malloc(unsigned long);

extern void *realloc(void *, unsigned long);
extern void free(void *);
int main(void) {
    char *p = malloc(8);
    p = realloc(p, (unsigned long)-1);
    free(p);
    return 0;
}
