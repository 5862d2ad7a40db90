// property: valid-deref
// verdict: true
// inputs:
// cause: a function of the program that formats fits into the buffer of its caller
typedef __builtin_va_list va_list;
extern int vsprintf(char *, const char *, va_list);
static int format(char *to, const char *text, ...) {
    va_list ap;
    __builtin_va_start(ap, text);
    int length = vsprintf(to, text, ap);
    __builtin_va_end(ap);
    return length;
}
int main(void) {
    char *name = __builtin_malloc(7);
    return format(name, "%s%d", "abc", 123);
}
