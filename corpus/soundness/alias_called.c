// property: unreach-call
// verdict: false
// inputs:
// cause: an alias is the function that it names
extern void reach_error(void);
static int count;
static int twice(int x) { count++; return 2 * x; }
int doubled(int x) __attribute__((alias("twice")));
int main(void) {
    int (*p)(int) = doubled;
    if (doubled(4) == 8 && p(1) == 2 && count == 2 && p == twice)
        reach_error();
    return 0;
}
