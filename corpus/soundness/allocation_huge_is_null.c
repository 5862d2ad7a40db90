// property: unreach-call
// verdict: true
// cause: the result of a request that is too large is null
extern void reach_error(void);
extern void *malloc(unsigned long);

int main(void) {
    if (malloc((unsigned long)-1))
        reach_error();
    return 0;
}
