// property: unreach-call
// verdict: true
// allowed: unknown
// inputs: 7; 101
// cause: an assumption is declared with a wider parameter
extern void reach_error(void);
extern void __VERIFIER_assume(long);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 100);
    if (x < 50)
        reach_error();
    return 0;
}
