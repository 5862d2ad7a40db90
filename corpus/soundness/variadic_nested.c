// property: unreach-call
// verdict: true
// allowed: unknown
// inputs: 0; 1; 5
// cause: calls in arguments and recursion do not change the arguments of the call around them
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int sum(int n, ...) {
    __builtin_va_list ap;
    __builtin_va_start(ap, n);
    int total = 0;
    for (int i = 0; i < n; i++) {
        int x = __builtin_va_arg(ap, int);
        total += x > 100 ? sum(1, x - 100) : x;
    }
    __builtin_va_end(ap);
    return total;
}
int main(void) {
    int x = __VERIFIER_nondet_int() & 7;
    if (sum(3, sum(2, x, 1), 101, x) != 2 * x + 2)
        reach_error();
    return 0;
}
