// property: unreach-call
// verdict: false
// inputs:
// cause: raise calls the handler before it returns
extern void reach_error(void);
extern void (*signal(int, void (*)(int)))(int);
extern int raise(int);
static void on_signal(int number) { if (number == 10) reach_error(); }
int main(void) {
    signal(10, on_signal);
    raise(10);
    return 0;
}
