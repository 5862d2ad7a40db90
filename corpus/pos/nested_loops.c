// property: unreach-call
// verdict: true
// note: the inner loop's summary is steps += n; the outer one's steps == i * n
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 50) return 0;
    int steps = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) steps++;
    if (steps != n * n) reach_error();
    return 0;
}
