// property: unreach-call
// verdict: true
// note: the maximum is an element and no element is larger
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a[6], max, where = 0;
    for (int i = 0; i < 6; i++) a[i] = __VERIFIER_nondet_int();
    max = a[0];
    for (int i = 1; i < 6; i++)
        if (a[i] > max) {
            max = a[i];
            where = i;
        }
    for (int i = 0; i < 6; i++)
        if (a[i] > max) reach_error();
    if (a[where] != max) reach_error();
    return 0;
}
