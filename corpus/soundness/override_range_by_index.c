// property: unreach-call
// verdict: true
// inputs:
// cause: an element after a range
extern void reach_error(void);
int main(void) {
    int a[4] = { [0 ... 3] = 1, [2] = 5 };
    if (a[1] != 1 || a[2] != 5 || a[3] != 1)
        reach_error();
    return 0;
}
