// property: unreach-call
// verdict: true
// allowed: unknown
// inputs: 8; 2
// cause: exit is declared inside a block, without prototype
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    if (x > 7) {
        extern void exit();
        exit(3);
    }
    if (x > 7)
        reach_error();
    return 0;
}
