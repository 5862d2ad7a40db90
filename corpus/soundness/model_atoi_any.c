// property: unreach-call
// verdict: false
// inputs: 52, 50; 45, 55
// cause: a string that the program does not know is a number
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern int atoi(const char *);
int main(void) {
    char text[3] = {0};
    text[0] = (char)__VERIFIER_nondet_int();
    text[1] = (char)__VERIFIER_nondet_int();
    if (atoi(text) == 42 || atoi(text) == -7)
        reach_error();
    return 0;
}
