// property: unreach-call
// verdict: false
// inputs: 1,0
// note: the increment in the right operand is skipped
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int i = 0;
    if (__VERIFIER_nondet_int() || i++) i += 10;
    if (__VERIFIER_nondet_int() && i++) i += 10;
    if (i == 10) reach_error();
    return 0;
}
