// property: use-after-free
// verdict: false
// allowed: unknown
// inputs:
// externals: void each(void (*f)(void *), void *data) { f(data); }
// cause: an external function gets free and the block
extern void *malloc(unsigned long);
extern void free(void *);
extern void each(void (*)(void *), void *);
int main(void) {
    int *block = malloc(sizeof *block);
    *block = 2;
    each(free, block);
    return *block;
}
