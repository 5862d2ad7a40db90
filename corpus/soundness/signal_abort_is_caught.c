// property: unreach-call
// verdict: false
// inputs:
// cause: abort raises SIGABRT, whose handler runs
extern void reach_error(void);
extern void (*signal(int, void (*)(int)))(int);
extern void abort(void);
static void on_abort(int number) { reach_error(); }
int main(void) {
    signal(6, on_abort);
    abort();
}
