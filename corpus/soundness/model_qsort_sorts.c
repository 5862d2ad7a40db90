// property: unreach-call
// verdict: true
// allowed: unknown
// inputs: 0, 0, 0; 3, 2, 1; -1, 5, -7
// cause: qsort calls the comparison with pointers into the array and leaves it in order
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
static int less(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}
int main(void) {
    int a[3];
    for (int i = 0; i < 3; i++)
        a[i] = __VERIFIER_nondet_int();
    int before = a[0] ^ a[1] ^ a[2];
    qsort(a, 3, sizeof a[0], less);
    if (a[0] > a[1] || a[1] > a[2] || (a[0] ^ a[1] ^ a[2]) != before)
        reach_error();
    return 0;
}
