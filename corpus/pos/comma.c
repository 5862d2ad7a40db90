// property: unreach-call
// verdict: true
// note: the comma operator sequences its operands; in an argument list it is none
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int second(int a, int b) {
    return b;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int i, j;
    for (i = 0, j = 10; i < j; i++, j--);
    if (i != 5 || j != 5) reach_error();
    int x = (i = 1, i + n % 10);
    if (x != 1 + n % 10) reach_error();
    if (second((1, 2), (3, 4)) != 4) reach_error();
    return 0;
}
