// property: unreach-call
// verdict: false
// inputs: 5,4,3,2,1
// note: bubble sort with one pass too few
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a[5];
    for (int i = 0; i < 5; i++) a[i] = __VERIFIER_nondet_int();
    for (int pass = 0; pass < 3; pass++)
        for (int i = 0; i + 1 < 5 - pass; i++)
            if (a[i] > a[i + 1]) {
                int t = a[i];
                a[i] = a[i + 1];
                a[i + 1] = t;
            }
    for (int i = 0; i + 1 < 5; i++)
        if (a[i] > a[i + 1]) reach_error();
    return 0;
}
