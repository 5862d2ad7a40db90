// property: unreach-call
// verdict: true
// note: closed form j == k * 2^i (loops paper, figure 18)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int k = __VERIFIER_nondet_int();
    if (k < -1000 || k > 1000) return 0;
    int i = 0, j = k;
    while (i < 10) {
        i++;
        j = 2 * j;
    }
    if (j != k * 1024) reach_error();
    return 0;
}
