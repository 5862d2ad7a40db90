// property: unreach-call
// verdict: true
// note: invariant x - y == i - j; refinement without it diverges (loops paper, figure 21b)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int i = __VERIFIER_nondet_int();
    int j = __VERIFIER_nondet_int();
    int x = i, y = j;
    while (x != 0) {
        x--;
        y--;
    }
    if (i == j && y != 0) reach_error();
    return 0;
}
