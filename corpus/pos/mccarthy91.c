// property: unreach-call
// verdict: true
// note: nested recursion; f(n) == 91 || (n > 101 && f(n) == n - 10) is the summary
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int f(int n) {
    if (n > 100) return n - 10;
    return f(f(n + 11));
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < -2000) return 0;
    int result = f(n);
    if (n <= 101 && result != 91) reach_error();
    if (n > 101 && result != n - 10) reach_error();
    return 0;
}
