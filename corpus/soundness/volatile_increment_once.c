// property: unreach-call
// verdict: true
// cause: an increment reads once
extern void reach_error(void);
volatile unsigned ticks;
int main(void) {
    unsigned before = ticks++;
    unsigned copy = before;
    if (copy != before)
        reach_error();
    return 0;
}
