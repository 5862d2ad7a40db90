// property: unreach-call
// verdict: false
// cause: a handler that a cleanup calls as well can be interrupted by its own signal
extern void reach_error(void);
extern void (*signal(int, void (*)(int)))(int);
static int depth;
static void handle(int number) {
    if (depth == 1)
        reach_error();
    depth = 1;
    (void) number;
    depth = 0;
}
static void clean(int *number) { handle(*number); }
int main(void) {
    signal(10, handle);
    {
        int number __attribute__((cleanup(clean))) = 10;
    }
    return 0;
}
