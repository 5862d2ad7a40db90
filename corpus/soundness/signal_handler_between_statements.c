// property: unreach-call
// verdict: false
// args: --volatile memory
// cause: a handler of a signal may run between any two statements
extern void reach_error(void);
extern void (*signal(int, void (*)(int)))(int);
static int flag;
static void on_interrupt(int number) { flag = 1; }
int main(void) {
    signal(2, on_interrupt);
    if (flag != 0)
        reach_error();
    return 0;
}
