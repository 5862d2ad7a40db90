// property: unreach-call
// verdict: true
// allowed: unknown
// inputs: 0; 1
// cause: abort is declared to return an integer
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern int abort(void);
int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    if (x == 1)
        abort();
    if (x == 1)
        reach_error();
    return 0;
}
