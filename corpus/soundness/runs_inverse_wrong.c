// property: unreach-call
// verdict: false
// inputs: 0; 252; 253
// cause: one byte of input: the generator has no full period, so the table has no inverse
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
static unsigned char there[256], back[256];
int main(void) {
    unsigned char x = 17;
    for (int i = 0; i < 256; i++) {
        there[i] = x;
        back[x] = (unsigned char)i;
        x = (unsigned char)(7 * x + 3);
    }
    unsigned char in = __VERIFIER_nondet_uchar();
    if (back[there[in]] != in)
        reach_error();
    return 0;
}
