// property: unreach-call
// verdict: false
// signed-overflow: wrap
// inputs: 2147483647
// note: false only with wrap-around; where overflow ends the path, no path gets there
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = x + 1;
    if (y < x) reach_error();
    return 0;
}
