// property: unreach-call
// verdict: false
// args: --mmio 0x40000000:0x1000
// cause: a register at a fixed address, read twice
extern void reach_error(void);
int main(void) {
    int a = *(volatile int *)0x40000000;
    if (a != *(volatile int *)0x40000000)
        reach_error();
    return 0;
}
