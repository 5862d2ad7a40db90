// property: unreach-call
// verdict: false
// inputs:
// note: qsort calls the comparison that it is given
extern void qsort(void *base, unsigned long count, unsigned long size,
                  int (*compare)(const void *, const void *));
extern void reach_error(void);

int compare(const void *a, const void *b) {
    if (*(const int *)a > *(const int *)b) reach_error();
    return *(const int *)a - *(const int *)b;
}

int main(void) {
    int a[2] = {2, 1};
    qsort(a, 2, sizeof(int), compare);
    return 0;
}
