// property: unreach-call
// verdict: false
// inputs: -1
// note: -1 is converted to unsigned and is not less than 1u
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    unsigned one = 1;
    if (x < 0 && x > one) reach_error();
    return 0;
}
