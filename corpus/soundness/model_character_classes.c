// property: unreach-call
// verdict: true
// inputs: 0; 48; 65; 122; 255
// cause: the classes of characters in the C locale
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern int isalpha(int), isdigit(int), isalnum(int), toupper(int), isupper(int), isspace(int);
int main(void) {
    int c = __VERIFIER_nondet_int() & 255;
    if (!isalnum(c) != (!isalpha(c) && !isdigit(c)) || isdigit(c) && isspace(c))
        reach_error();
    if (c >= 'a' && c <= 'z' && (!isupper(toupper(c)) || toupper(c) != c - 32))
        reach_error();
    return 0;
}
