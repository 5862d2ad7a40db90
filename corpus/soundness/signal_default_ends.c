// property: unreach-call
// verdict: true
// inputs:
// cause: with SIG_DFL the signal ends the program, with SIG_IGN nothing happens
extern void reach_error(void);
extern void (*signal(int, void (*)(int)))(int);
extern int raise(int);
int main(void) {
    signal(15, (void (*)(int)) 1);
    if (raise(15) != 0)
        reach_error();
    if (signal(15, (void (*)(int)) 0) != (void (*)(int)) 1)
        reach_error();
    raise(15);
    reach_error();
    return 0;
}
