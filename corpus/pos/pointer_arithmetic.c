// property: unreach-call
// verdict: true
// note: walking an array with a pointer, one past its end included
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a[5] = {1, 2, 3, 4, 5};
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 5) return 0;
    int sum = 0;
    for (int *p = a, *end = a + n; p < end; p++) sum += *p;
    if (sum != n * (n + 1) / 2) reach_error();
    int *middle = &a[2];
    if (middle[-1] != 2 || *(middle + 2) != 5 || 2[a] != 3) reach_error();
    if (&a[4] - middle != 2) reach_error();
    return 0;
}
