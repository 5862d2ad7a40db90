// property: no-overflow
// verdict: false
// oracle: clang
// inputs: 65535
// cause: a signed integer of 17 bits does not promote to int
extern int __VERIFIER_nondet_int(void);
int main(void) {
    _BitInt(17) value = __VERIFIER_nondet_int();
    value = value + (_BitInt(17)) 1;
    return value < 0;
}
