// property: no-overflow
// verdict: false
// inputs: -2147483648
// note: the most negative number has no counterpart
extern int __VERIFIER_nondet_int(void);

int absolute(int x) {
    return x < 0 ? -x : x;
}

int main(void) {
    return absolute(__VERIFIER_nondet_int()) == 7;
}
