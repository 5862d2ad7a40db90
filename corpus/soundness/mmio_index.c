// property: valid-deref
// verdict: false
// args: --mmio 0x40000000:0x1000
// allowed: unknown
// cause: an index that leaves the range
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned i = __VERIFIER_nondet_uint();
    if (i <= 1024)
        ((volatile unsigned *)0x40000000)[i] = 0;
    return 0;
}
