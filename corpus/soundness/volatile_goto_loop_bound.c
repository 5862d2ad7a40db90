// property: unreach-call
// verdict: true
// cause: the register bounds a loop, whatever it is
extern void reach_error(void);
volatile unsigned limit;
int main(void) {
    unsigned n = limit, i = 0;
    if (n > 5)
        n = 5;
    while (i < n)
        i++;
    if (i > 5)
        reach_error();
    return 0;
}
