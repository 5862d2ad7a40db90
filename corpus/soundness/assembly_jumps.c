// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// cause: assembly jumps to a label
extern void reach_error(void);
int main(void) {
    __asm__ goto("jmp %l0" : : : : away);
    return 0;
away:
    reach_error();
    return 0;
}
