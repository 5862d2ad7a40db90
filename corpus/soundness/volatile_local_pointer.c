// property: unreach-call
// verdict: true
// cause: a local pointer to an automatic volatile object
extern void reach_error(void);
int main(void) {
    volatile int x = 4;
    volatile int *p = &x;
    *p = 5;
    if (x != 5 || *p != 5)
        reach_error();
    return 0;
}
