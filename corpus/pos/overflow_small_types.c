// property: no-overflow
// verdict: true
// note: arithmetic on char and short happens in int; storing back converts, it does not overflow
extern int __VERIFIER_nondet_int(void);

int main(void) {
    signed char c = (signed char)__VERIFIER_nondet_int();
    short s = (short)__VERIFIER_nondet_int();
    c++;
    s *= 3;
    c = c * c;
    unsigned u = 4294967295u;
    u++;
    return c + s + (int)u == 1;
}
