// property: valid-deref
// verdict: false
// inputs:
// cause: a variadic function writes behind the object whose address it is given
static void fill(int n, ...) {
    __builtin_va_list ap;
    __builtin_va_start(ap, n);
    char *p = __builtin_va_arg(ap, char *);
    for (int i = 0; i <= n; i++)
        p[i] = 0;
    __builtin_va_end(ap);
}
int main(void) {
    char *p = __builtin_malloc(4);
    fill(4, p);
    return 0;
}
