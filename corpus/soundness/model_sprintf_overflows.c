// property: valid-deref
// verdict: false
// inputs: 1000
// cause: sprintf writes past the end of its target
extern int __VERIFIER_nondet_int(void);
extern int sprintf(char *, const char *, ...);
int main(void) {
    char text[4];
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 1000)
        return 0;
    sprintf(text, "%d", x);
    return text[0];
}
