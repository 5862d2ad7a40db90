// property: unreach-call
// verdict: true
// note: division truncates towards zero and a == (a / b) * b + a % b
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    if (b == 0 || a < -1000000 || a > 1000000 || b < -1000 || b > 1000) return 0;
    int q = a / b, r = a % b;
    if (q * b + r != a) reach_error();
    if (r != 0 && (r < 0) != (a < 0)) reach_error();
    if ((-7) / 2 != -3 || (-7) % 2 != -1 || 7 / -2 != -3 || 7 % -2 != 1) reach_error();
    return 0;
}
