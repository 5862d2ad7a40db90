// property: no-overflow
// verdict: true
// inputs: 0; 1; -2147483648; 2147483647
// cause: atomic arithmetic wraps
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    __atomic_add_fetch(&x, 2147483647, 5);
    __sync_fetch_and_sub(&x, 2147483647);
    return __atomic_fetch_add(&x, 1, 5) == 0;
}
