// property: unreach-call
// verdict: false
// inputs: 17
// cause: an error function through a pointer
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
static void (*report)(void) = reach_error;
int main(void) {
    if (__VERIFIER_nondet_uchar() == 17)
        report();
    return 0;
}
