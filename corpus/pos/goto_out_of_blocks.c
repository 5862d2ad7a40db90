// property: unreach-call
// verdict: true
// note: goto leaves two loops at once; variables of the blocks die
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int target = __VERIFIER_nondet_int();
    int i, j;
    for (i = 0; i < 10; i++) {
        for (j = 0; j < 10; j++) {
            int here = 10 * i + j;
            if (here == target) goto found;
        }
    }
    if (target >= 0 && target < 100) reach_error();
    return 0;
found:
    if (10 * i + j != target) reach_error();
    return 0;
}
