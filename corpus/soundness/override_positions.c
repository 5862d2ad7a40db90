// property: unreach-call
// verdict: true
// inputs:
// cause: positions go on after a designator
extern void reach_error(void);
int main(void) {
    int a[3] = { 1, 2, 3, [0] = 4, 5 };
    if (a[0] != 4 || a[1] != 5 || a[2] != 3)
        reach_error();
    return 0;
}
