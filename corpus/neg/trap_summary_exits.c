// property: unreach-call
// verdict: false
// inputs: 1
// note: exits of a covered node are reached through cover edges too (DESIGN.md 6.1)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

void f(int k) {
    if (k == 1 && __VERIFIER_nondet_int()) {
        k = 0;
        goto M;
    }
    k = 0;
R:;
M:;
}

int main(void) {
    f(1);
    f(2);
    reach_error();
    return 0;
}
