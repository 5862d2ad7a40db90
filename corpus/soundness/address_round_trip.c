// property: unreach-call
// verdict: true
// inputs:
// oracle: gcc
// cause: an address that was a number for a while is that address again
extern void reach_error(void);
static int object;
int main(void) {
    unsigned long number = (unsigned long)&object;
    unsigned long copy = number;
    int *pointer = (int *)copy;
    if (copy)
        *pointer = 3;
    if (object != 3)
        reach_error();
    return 0;
}
