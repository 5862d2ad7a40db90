// property: unreach-call
// verdict: true
// inputs: 2; 4; 255
// cause: an assumption through a pointer
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
int main(void) {
    void (*suppose)(int) = __VERIFIER_assume;
    unsigned char x = __VERIFIER_nondet_uchar();
    suppose(x < 4);
    if (x >= 4)
        reach_error();
    return 0;
}
