// property: unreach-call
// verdict: false
// inputs: 9, 19
// cause: only the largest values that the assumption leaves violate it
extern void reach_error(void);
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (a < 0 || a > 9 || b < 10 || b >= 20)
        abort();
    if (a * b > 170)
        reach_error();
    return 0;
}
