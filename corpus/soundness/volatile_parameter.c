// property: unreach-call
// verdict: true
// cause: a volatile parameter is automatic
extern void reach_error(void);
static int twice(volatile int n) {
    return n + n;
}
int main(void) {
    if (twice(7) != 14)
        reach_error();
    return 0;
}
