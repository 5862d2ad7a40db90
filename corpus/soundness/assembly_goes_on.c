// property: unreach-call
// verdict: true
// inputs:
// cause: assembly that may jump to a label where all is well
extern void reach_error(void);
int main(void) {
    int x = 1;
    __asm__ goto("" : : : : away);
    x = 2;
away:
    if (x != 1 && x != 2)
        reach_error();
    return 0;
}
