// property: unreach-call
// verdict: true
// cause: the other members of such a structure are memory
extern void reach_error(void);
struct uart {
    int base;
    volatile unsigned line;
};
static struct uart port;
int main(void) {
    struct uart *p = &port;
    p->base = 7;
    p->line = 1;
    if (p->base != 7)
        reach_error();
    return 0;
}
