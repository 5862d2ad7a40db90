// property: valid-free
// verdict: false
// allowed: unknown
// inputs:
// externals: static void (*kept)(void *); static void *block; void each(void (*f)(void *), void *data) { kept = f; block = data; } void later(void) { kept(block); }
// cause: an external function may keep free and a block and call it later
extern void *malloc(unsigned long);
extern void free(void *);
extern void each(void (*)(void *), void *);
extern void later(void);
int main(void) {
    int *block = malloc(sizeof *block);
    each(free, block);
    later();
    free(block);
    return 0;
}
