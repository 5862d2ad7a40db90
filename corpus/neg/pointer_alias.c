// property: unreach-call
// verdict: false
// inputs: 1
// note: p and q may point to the same variable
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a = 0, b = 0;
    int *p = &a;
    int *q = __VERIFIER_nondet_int() ? &a : &b;
    *p = 1;
    *q = 2;
    if (*p != 1) reach_error();
    return 0;
}
