// property: unreach-call
// verdict: true
// note: escapes, concatenation, sizes, and an array initialised from a literal is a copy
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

unsigned long length(const char *s) {
    const char *p = s;
    while (*p) p++;
    return p - s;
}

int main(void) {
    char s[] = "ab\0cd";
    char t[8] = "xyz";
    const char *u = "one" " " "two";
    if (sizeof s != 6 || length(s) != 2 || s[3] != 'c') reach_error();
    if (t[3] != 0 || t[7] != 0) reach_error();
    if (length(u) != 7 || u[3] != ' ') reach_error();
    if ("\x41\101\n\\"[0] != "\x41\101\n\\"[1] || sizeof "\t\"" != 3) reach_error();
    s[0] = (char)__VERIFIER_nondet_int();
    if (s[1] != 'b') reach_error();
    return 0;
}
