// property: unreach-call
// verdict: true
// inputs: 3; 200
// cause: abort as an argument ends the program
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
static void require(int holds, void (*otherwise)(void)) {
    if (!holds)
        otherwise();
}
int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    require(x < 10, abort);
    if (x > 9)
        reach_error();
    return 0;
}
