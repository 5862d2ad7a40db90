// property: unreach-call
// verdict: true
// note: a path on which an assumption does not hold ends there
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void abort(void);
extern void reach_error(void);

void assume_abort_if_not(int condition) {
    if (!condition) abort();
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 10);
    if (x <= 10) reach_error();
    int y = __VERIFIER_nondet_int();
    assume_abort_if_not(y < x);
    if (y >= x) reach_error();
    return 0;
}
