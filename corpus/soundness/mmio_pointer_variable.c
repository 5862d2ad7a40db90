// property: valid-deref
// verdict: true
// args: --mmio 0x40000000:0x1000
// allowed: unknown
// cause: a register through a pointer variable and a parameter
static void set(volatile unsigned *reg, unsigned value) {
    *reg = value;
}
int main(void) {
    volatile unsigned *base = (volatile unsigned *)0x40000000;
    set(base + 1, 7);
    return 0;
}
