// property: unreach-call
// verdict: false
// inputs:
// cause: on_exit's function gets the status and the argument, after what atexit was given later
extern void reach_error(void);
extern int on_exit(void (*)(int, void *), void *);
extern int atexit(void (*)(void));
static int order, given = 7;
static void last(int status, void *argument) {
    if (status == 3 && *(int *) argument == 7 && order == 1)
        reach_error();
}
static void first(void) { order++; }
int main(void) {
    on_exit(last, &given);
    atexit(first);
    return 3;
}
