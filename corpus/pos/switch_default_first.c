// property: unreach-call
// verdict: true
// note: default need not be last, case ranges are GNU C, and the operand is promoted
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int classify(signed char c) {
    switch (c) {
    default: return 3;
    case -128 ... -1: return 0;
    case 0: return 1;
    case 1 ... 100: return 2;
    }
}

int main(void) {
    signed char c = (signed char)__VERIFIER_nondet_int();
    int kind = classify(c);
    if (kind == 0 && c >= 0) reach_error();
    if (kind == 1 && c != 0) reach_error();
    if (kind == 2 && (c < 1 || c > 100)) reach_error();
    if (kind == 3 && c <= 100) reach_error();
    return 0;
}
