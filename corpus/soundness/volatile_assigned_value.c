// property: unreach-call
// verdict: true
// cause: the value of an assignment is what was assigned
extern void reach_error(void);
volatile int counter;
int main(void) {
    if ((counter = 5) != 5)
        reach_error();
    return 0;
}
