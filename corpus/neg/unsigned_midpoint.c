// property: unreach-call
// verdict: false
// inputs: 4294967295,4294967295
// note: (a + b) / 2 wraps around
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned a = __VERIFIER_nondet_uint();
    unsigned b = __VERIFIER_nondet_uint();
    if (a > b) return 0;
    unsigned middle = (a + b) / 2;
    if (middle < a || middle > b) reach_error();
    return 0;
}
