// property: unreach-call
// verdict: true
// note: no element of an array is smaller than its minimum, compared as unsigned numbers (after Listing 3 of the lemma thesis)
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

unsigned int minimum(int *a, unsigned int length, unsigned int i)
{
    unsigned int j = 0;
    unsigned int m = a[0];
    while (j < length) {
        if (a[j] < m) m = a[j];
        j = j + 1;
    }
    if (m > a[i]) reach_error();
    return m;
}

int main(void)
{
    int a[1000];
    unsigned int i = __VERIFIER_nondet_uint();
    if (i >= 1000) return 0;
    for (int k = 0; k < 1000; k++)
        a[k] = __VERIFIER_nondet_int();
    minimum(a, 1000, i);
    return 0;
}
