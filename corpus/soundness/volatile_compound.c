// property: unreach-call
// verdict: false
// cause: a compound assignment reads the register
extern void reach_error(void);
volatile int counter;
int main(void) {
    counter = 0;
    int next = counter += 1;
    if (next != 1)
        reach_error();
    return 0;
}
