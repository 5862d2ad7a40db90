// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// externals: void at_failure(void (*f)(void)) { f(); }
// cause: an error function is given to an external function
extern void reach_error(void);
extern void at_failure(void (*)(void));
int main(void) {
    at_failure(reach_error);
    return 0;
}
