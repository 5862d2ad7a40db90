// property: unreach-call
// verdict: false
// cause: a volatile member of a structure that is not volatile
extern void reach_error(void);
struct uart {
    int base;
    volatile unsigned line;
};
static struct uart port;
int main(void) {
    struct uart *p = &port;
    p->line = 1;
    if (p->line == 0)
        reach_error();
    return 0;
}
