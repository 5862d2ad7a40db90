// property: unreach-call
// verdict: true
// inputs:
// cause: an empty assembly statement changes nothing
extern void reach_error(void);
int main(void) {
    int x = 3;
    __asm__ volatile("" : : : "memory");
    if (x != 3)
        reach_error();
    return 0;
}
