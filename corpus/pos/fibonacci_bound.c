// property: unreach-call
// verdict: true
// note: fib(n) >= n - 1 by induction over two recursive calls
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int fib(int n) {
    if (n < 2) return n < 1 ? 0 : 1;
    return fib(n - 1) + fib(n - 2);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 15) return 0;
    if (fib(n) < n - 1) reach_error();
    return 0;
}
