// property: unreach-call
// verdict: true
// note: a variable-length array; its sizeof is computed when it is declared
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 20) return 0;
    int a[n];
    int size = n;
    n = 100;
    if (sizeof a != size * sizeof(int)) reach_error();
    for (int i = 0; i < size; i++) a[i] = i;
    int sum = 0;
    for (int i = 0; i < size; i++) sum += a[i];
    if (2 * sum != size * (size - 1)) reach_error();
    return 0;
}
