// property: unreach-call
// verdict: true
// allowed: unknown
// inputs:
// cause: a signal is blocked while its handler runs, and comes afterwards
extern void reach_error(void);
extern void (*signal(int, void (*)(int)))(int);
extern int raise(int);
static int depth, runs;
static void on_signal(int number) {
    depth++;
    if (depth > 1)
        reach_error();
    runs++;
    if (runs == 1)
        raise(number);
    depth--;
}
int main(void) {
    signal(10, on_signal);
    raise(10);
    if (runs < 2)
        reach_error();
    return 0;
}
