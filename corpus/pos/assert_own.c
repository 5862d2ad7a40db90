// property: unreach-call
// verdict: true
// note: the task's own assertion function, as in SV-COMP
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

void __VERIFIER_assert(int condition) {
    if (!condition) {
    ERROR:
        reach_error();
    }
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = x > 0 ? x : 1;
    __VERIFIER_assert(y > 0);
    return 0;
}
