// property: valid-deref
// verdict: false
// inputs:
// cause: qsort is told of more elements than there are
extern void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
static int less(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
    int a[2] = {2, 1};
    qsort(a, 3, sizeof a[0], less);
    return a[0];
}
