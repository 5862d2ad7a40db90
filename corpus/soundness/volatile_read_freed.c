// property: valid-deref
// verdict: false
// cause: a read whose value is not used still happens
extern void *malloc(unsigned long);
extern void free(void *);
int main(void) {
    volatile int *p = malloc(4);
    free((void *)p);
    *p;
    return 0;
}
