// property: unreach-call
// verdict: true
// note: a + (b - a) / 2 is between a and b also where a + b would wrap
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned a = __VERIFIER_nondet_uint();
    unsigned b = __VERIFIER_nondet_uint();
    if (a > b) return 0;
    unsigned middle = a + (b - a) / 2;
    if (middle < a || middle > b) reach_error();
    return 0;
}
