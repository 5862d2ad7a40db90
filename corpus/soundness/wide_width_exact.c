// property: unreach-call
// verdict: true
// inputs: 0; 65; 31; 127; 126
// cause: characters that can be printed have the width 1, null has 0, others have none
extern void reach_error(void);
extern int wcwidth(int), __VERIFIER_nondet_int(void);
int main(void) {
    int c = __VERIFIER_nondet_int(), width = wcwidth(c);
    if (c == 0 ? width != 0 : c >= 32 && c < 127 ? width != 1 : width > 1)
        reach_error();
    return 0;
}
