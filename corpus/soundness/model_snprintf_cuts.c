// property: unreach-call
// verdict: true
// allowed: unknown
// inputs: 0; 7; -1234567; 2147483647; -2147483648
// cause: snprintf gives the length of all of it and stores what there is room for
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern int snprintf(char *, unsigned long, const char *, ...);
int main(void) {
    int x = __VERIFIER_nondet_int();
    char text[6];
    int length = snprintf(text, sizeof text, "<%d>", x);
    if (length < 3 || length > 13 || text[0] != '<' || length >= 6 && text[5] != 0)
        reach_error();
    if (snprintf(text, 0, "%s%%%c", "abc", 'd') != 5 || text[0] != '<')
        reach_error();
    return 0;
}
