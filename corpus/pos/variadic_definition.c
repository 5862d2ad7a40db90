// property: unreach-call
// verdict: true
// note: va_list, va_start and va_arg
extern void reach_error(void);

int sum(int count, ...) {
    __builtin_va_list arguments;
    __builtin_va_start(arguments, count);
    int total = 0;
    while (count-- > 0) total += __builtin_va_arg(arguments, int);
    __builtin_va_end(arguments);
    return total;
}

int main(void) {
    if (sum(3, 1, 2, 3) != 6) reach_error();
    return 0;
}
