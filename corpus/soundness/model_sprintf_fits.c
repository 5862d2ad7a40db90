// property: valid-deref
// verdict: true
// inputs: 0; 1000
// cause: the longest number fits
extern int __VERIFIER_nondet_int(void);
extern int sprintf(char *, const char *, ...);
int main(void) {
    char text[5];
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 1000)
        return 0;
    sprintf(text, "%d", x);
    return text[0];
}
