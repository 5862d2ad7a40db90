// property: unreach-call
// allowed: unknown
// verdict: false
// inputs:
// externals: void at_failure(void (*f)(void)) { (void)f; }
// cause: an external function that gets abort need not call it
extern void reach_error(void);
extern void at_failure(void (*)(void));
extern void abort(void);
int main(void) {
    at_failure(abort);
    reach_error();
    return 0;
}
