// property: unreach-call
// verdict: true
// inputs:
// cause: a function of the program has the name of an internal one of assert
extern void reach_error(void);
static int __assert_rtn(const char *where, const char *what) { return where == what; }
int main(void) {
    const char *here = "here";
    if (!__assert_rtn(here, here))
        reach_error();
    return 0;
}
