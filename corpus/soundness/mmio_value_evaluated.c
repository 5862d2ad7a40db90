// property: no-overflow
// verdict: false
// args: --mmio 0x40000000:0x1000
// cause: what is written to a register is evaluated
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    *(volatile int *)0x40000004 = x + 1;
    return 0;
}
