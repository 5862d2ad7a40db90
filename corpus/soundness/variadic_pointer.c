// property: unreach-call
// verdict: false
// inputs: 3
// cause: a variadic function writes through a pointer that it is given
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static void put(int n, ...) {
    __builtin_va_list ap;
    __builtin_va_start(ap, n);
    *__builtin_va_arg(ap, int *) = n;
    __builtin_va_end(ap);
}
int main(void) {
    int x = 0;
    put(__VERIFIER_nondet_int(), &x);
    if (x == 3)
        reach_error();
    return 0;
}
