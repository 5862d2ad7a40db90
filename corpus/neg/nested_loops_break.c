// property: unreach-call
// verdict: false
// inputs: 5
// note: break leaves only the inner loop
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 10) return 0;
    int steps = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (i + j == n) break;
            steps++;
        }
    if (steps > 2 * n) reach_error();
    return 0;
}
