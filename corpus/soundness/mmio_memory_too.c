// property: unreach-call
// verdict: false
// args: --mmio 0x40000000:0x1000 --volatile memory
// cause: registers give any value where volatile objects are memory
extern void reach_error(void);
int main(void) {
    *(volatile int *)0x40000004 = 1;
    if (*(volatile int *)0x40000004 != 1)
        reach_error();
    return 0;
}
