// The largest element of an array.
//
//   lakatos verify examples/array.c
//
// should answer: proved. The invariant of the search is that `max` is at least every element
// seen so far, which speaks about all indices at once.
//
//   lakatos verify --property array-bounds examples/array.c
//
// should answer: proved, and is much easier.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a[8];
    for (int i = 0; i < 8; i++) a[i] = __VERIFIER_nondet_int();

    int max = a[0];
    for (int i = 1; i < 8; i++)
        if (a[i] > max) max = a[i];

    for (int i = 0; i < 8; i++)
        if (a[i] > max) reach_error();
    return 0;
}
