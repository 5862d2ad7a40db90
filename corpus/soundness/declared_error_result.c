// property: unreach-call
// verdict: false
// inputs: -5
// cause: the error function is declared with a parameter and a result
extern int reach_error(const char *, ...);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    if (__VERIFIER_nondet_int() == -5)
        return reach_error("minus %d", 5);
    return 0;
}
