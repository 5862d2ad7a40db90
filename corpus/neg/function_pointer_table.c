// property: unreach-call
// verdict: false
// inputs: 2,5
// note: a table of functions indexed by an input
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int twice(int x) { return 2 * x; }
int square(int x) { return x * x; }
int negate(int x) { return -x; }

int (*const table[3])(int) = {twice, square, negate};

int main(void) {
    int which = __VERIFIER_nondet_int();
    int x = __VERIFIER_nondet_int();
    if (which < 0 || which > 2 || x < 0 || x > 100) return 0;
    if (table[which](x) < 0) reach_error();
    return 0;
}
