// property: unreach-call
// verdict: true
// inputs: 0, 0; 1, 31; 9, 99; 9, 12; -4, 3; 3, 12
// cause: an assumption leaves few values of two ints; digits of their product
extern void reach_error(void);
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
static void need(int condition) {
    if (!condition)
        abort();
}
int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    need(a >= 0 && a <= 9);
    need(b >= 10 && 20 > b);
    int product = a * b, sum = 0;
    for (int rest = product; rest > 0; rest /= 10)
        sum += rest % 10;
    if (sum % 9 != product % 9)
        reach_error();
    return 0;
}
