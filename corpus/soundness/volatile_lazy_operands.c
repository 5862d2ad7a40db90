// property: unreach-call
// verdict: false
// cause: reads in operands that are evaluated only sometimes
extern void reach_error(void);
volatile int a, b;
int main(void) {
    int seen = (a && !a) ? b : 0;
    if (seen == 4)
        reach_error();
    return 0;
}
