// property: unreach-call
// verdict: false
// allowed: unknown
// cause: one past the end of an array may be the start of another one
extern void reach_error(void);
static int low[4], high[4];
int main(void) {
    int *end = low + 4, *other_end = high + 4;
    if (end == high || other_end == low)
        reach_error();
    return 0;
}
