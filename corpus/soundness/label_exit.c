// property: unreach-call
// verdict: true
// allowed: unknown
// inputs:
// cause: an asm label names exit
extern void reach_error(void);
extern void stop(int) __asm__("exit");
int main(void) {
    stop(0);
    reach_error();
    return 0;
}
