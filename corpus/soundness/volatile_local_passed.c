// property: unreach-call
// verdict: false
// cause: an automatic volatile object whose address is passed on, through a second pointer
extern void reach_error(void);
static void start(volatile int *flag) {
    *flag = 0;
}
int main(void) {
    volatile int done;
    volatile int *p = &done;
    volatile int *q = p;
    start(q);
    if (done == 3)
        reach_error();
    return 0;
}
