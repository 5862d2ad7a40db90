// property: valid-deref
// verdict: true
// args: --mmio 0x40000000:0x1000 --mmio 0x50000000:8
// cause: two ranges
int main(void) {
    *(volatile long *)0x50000000 = *(volatile long *)0x40000008;
    return 0;
}
