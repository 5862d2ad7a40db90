// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// cause: a function of the library without a model may set errno
extern void reach_error(void);
extern int *__errno_location(void);
extern double lgamma(double);
int main(void) {
    *__errno_location() = 0;
    lgamma(-1.0);
    if (*__errno_location() != 0)
        reach_error();
    return 0;
}
