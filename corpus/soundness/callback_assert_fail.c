// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// externals: void on_failure(void (*f)(const char *, const char *, unsigned, const char *)) { f("a", "b", 1, "c"); }
// cause: the function behind assert is given to an external function
extern void __assert_fail(const char *, const char *, unsigned, const char *);
extern void on_failure(void (*)(const char *, const char *, unsigned, const char *));
int main(void) {
    on_failure(__assert_fail);
    return 0;
}
