// property: unreach-call
// verdict: true
// args: --volatile memory
// cause: with the option, a register is memory
extern void reach_error(void);
volatile int reg;
int main(void) {
    reg = 3;
    int a = reg, b = reg;
    if (a != b || a != 3)
        reach_error();
    return 0;
}
