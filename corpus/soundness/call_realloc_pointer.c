// property: use-after-free
// verdict: false
// inputs:
// cause: realloc through a local pointer ends the old block
extern void *malloc(unsigned long);
extern void free(void *);
extern void *realloc(void *, unsigned long);
int main(void) {
    void *(*grow)(void *, unsigned long) = realloc;
    char *old = malloc(2);
    old[0] = 1;
    char *new = grow(old, 4096);
    if (new) {
        old[0] = 2;
        free(new);
    }
    return 0;
}
