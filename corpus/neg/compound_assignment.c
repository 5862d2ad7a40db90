// property: unreach-call
// verdict: false
// inputs: 255
// note: += computes in int and converts back to unsigned char
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned char c = (unsigned char)__VERIFIER_nondet_int();
    unsigned char before = c;
    c += 1;
    if (c < before) reach_error();
    return 0;
}
