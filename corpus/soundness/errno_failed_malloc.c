// property: unreach-call
// verdict: true
// cause: an allocation that fails sets errno to ENOMEM
extern void reach_error(void);
extern int *__errno_location(void);
extern void *malloc(unsigned long);
int main(void) {
    volatile unsigned long size = -1ul;
    void *memory = malloc(size);
    if (!memory && *__errno_location() != 12)
        reach_error();
    return 0;
}
