// property: unreach-call
// verdict: true
// note: two levels of pointers; a swap through them
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

void swap(int **a, int **b) {
    int *t = *a;
    *a = *b;
    *b = t;
}

int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    int *p = &x, *q = &y;
    swap(&p, &q);
    if (p != &y || *q != x) reach_error();
    *p = 3;
    if (y != 3) reach_error();
    return 0;
}
