// property: unreach-call
// verdict: true
// inputs:
// oracle: gcc
// cause: a list that is handed to another function goes on behind what that took (an array, on x86-64)
extern void reach_error(void);
typedef __builtin_va_list va_list;
static int take(va_list list) { return __builtin_va_arg(list, int); }
static int both(int n, ...) {
    va_list ap;
    __builtin_va_start(ap, n);
    int first = take(ap), second = take(ap);
    __builtin_va_end(ap);
    return first * 10 + second;
}
int main(void) {
    if (both(0, 4, 2) != 42)
        reach_error();
    return 0;
}
