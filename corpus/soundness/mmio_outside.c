// property: valid-deref
// verdict: false
// args: --mmio 0x40000000:0x1000
// cause: a write below the range
int main(void) {
    *(volatile char *)0x3fffffff = 1;
    return 0;
}
