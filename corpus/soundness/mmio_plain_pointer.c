// property: valid-deref
// verdict: true
// args: --mmio 0x40000000:0x1000
// allowed: unknown
// cause: a register through a pointer without volatile
int main(void) {
    unsigned *reg = (unsigned *)0x40000000;
    *reg = 1;
    return 0;
}
