// property: unreach-call
// verdict: false
// data-model: ilp32
// inputs: -1
// note: unsigned int and long meet in unsigned long in ILP32 (in LP64 they meet in long)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    long l = __VERIFIER_nondet_int();
    unsigned u = 1;
    if (l < 0 && l > u) reach_error();
    return 0;
}
