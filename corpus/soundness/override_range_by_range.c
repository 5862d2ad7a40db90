// property: unreach-call
// verdict: true
// inputs:
// cause: ranges that overlap
extern void reach_error(void);
int main(void) {
    char a[8] = { [0 ... 5] = 1, [3 ... 7] = 2 };
    if (a[2] != 1 || a[3] != 2 || a[7] != 2)
        reach_error();
    return 0;
}
