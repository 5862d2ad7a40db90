// property: unreach-call
// verdict: false
// args: --malloc may-fail
// cause: with the option, a request succeeds as well
extern void reach_error(void);
extern void *malloc(unsigned long);

int main(void) {
    if (malloc(4))
        reach_error();
    return 0;
}
