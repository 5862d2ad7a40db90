// property: unreach-call
// verdict: false
// cause: an automatic volatile object whose address is stored outside
extern void reach_error(void);
volatile int *shared;
int main(void) {
    volatile int x = 1;
    shared = &x;
    if (x != 1)
        reach_error();
    return 0;
}
