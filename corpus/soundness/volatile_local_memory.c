// property: unreach-call
// verdict: true
// cause: an automatic volatile object whose address stays is memory
extern void reach_error(void);
int main(void) {
    volatile int i;
    int sum = 0;
    for (i = 0; i < 3; i++)
        sum += i;
    if (sum != 3 || i != 3)
        reach_error();
    return 0;
}
