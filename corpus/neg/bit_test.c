// property: unreach-call
// verdict: false
// inputs: 6
// note: == binds tighter than &, so the mask is compared first
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int flags = __VERIFIER_nondet_int();
    if (flags & 4 == 4) return 0;
    if ((flags & 4) == 4) reach_error();
    return 0;
}
