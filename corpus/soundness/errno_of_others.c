// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// externals: extern int *__errno_location(void); void other(void) { *__errno_location() = 5; }
// cause: a function of another file may set errno
extern void reach_error(void);
extern int *__errno_location(void);
extern void other(void);
int main(void) {
    *__errno_location() = 0;
    other();
    if (*__errno_location() != 0)
        reach_error();
    return 0;
}
