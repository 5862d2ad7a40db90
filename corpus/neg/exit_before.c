// property: unreach-call
// verdict: false
// inputs: 4
// note: exit ends the program only when it is reached
extern int __VERIFIER_nondet_int(void);
extern void exit(int status);
extern void reach_error(void);

void check(int x) {
    if (x > 4) exit(1);
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    check(x);
    if (x == 4) reach_error();
    return 0;
}
