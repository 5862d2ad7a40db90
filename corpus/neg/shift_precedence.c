// property: unreach-call
// verdict: false
// inputs: 1
// note: + binds tighter than <<, so this is x << 3
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 100) return 0;
    if (x << 1 + 2 == 8) reach_error();
    return 0;
}
