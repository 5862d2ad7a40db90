// property: unreach-call
// verdict: false
// inputs: 0,3
// note: ack(0, n) is n + 1, not more
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int ack(int m, int n) {
    if (m == 0) return n + 1;
    if (n == 0) return ack(m - 1, 1);
    return ack(m - 1, ack(m, n - 1));
}

int main(void) {
    int m = __VERIFIER_nondet_int();
    int n = __VERIFIER_nondet_int();
    if (m < 0 || m > 2 || n < 0 || n > 5) return 0;
    if (ack(m, n) <= n + 1) reach_error();
    return 0;
}
