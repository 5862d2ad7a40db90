// property: unreach-call
// verdict: true
// allowed: unknown
// inputs: 200; 3
// cause: an input is declared with a narrower type
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uint(void);
int main(void) {
    if (__VERIFIER_nondet_uint() > 255)
        reach_error();
    return 0;
}
