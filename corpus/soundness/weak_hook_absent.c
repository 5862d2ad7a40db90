// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// cause: a weak function need not exist
extern void reach_error(void);
extern void hook(void) __attribute__((weak));
int main(void) {
    if (hook)
        hook();
    else
        reach_error();
    return 0;
}
