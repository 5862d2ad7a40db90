// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// cause: which exceptions were raised is not followed: fetestexcept may give what was raised
extern void reach_error(void);
extern int fetestexcept(int), feraiseexcept(int);
int main(void) {
    feraiseexcept(4);
    if (fetestexcept(4))
        reach_error();
    return 0;
}
