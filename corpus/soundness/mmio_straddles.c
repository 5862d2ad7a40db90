// property: valid-deref
// verdict: false
// args: --mmio 0x40000000:0x1000
// cause: an access that begins in the range and ends behind it
int main(void) {
    return *(volatile int *)0x40000ffe;
}
