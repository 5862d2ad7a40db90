// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// cause: a handler that runs when main has returned
extern void reach_error(void);
extern int atexit(void (*)(void));
static int done;
static void finish(void) {
    if (done)
        reach_error();
}
int main(void) {
    atexit(finish);
    done = 1;
    return 0;
}
