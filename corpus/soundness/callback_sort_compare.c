// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// cause: qsort calls the comparison of the program
extern void reach_error(void);
extern void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
static int compare(const void *a, const void *b) {
    if (*(const int *)a + *(const int *)b == 9)
        reach_error();
    return *(const int *)a - *(const int *)b;
}
int main(void) {
    int values[2] = { 5, 4 };
    qsort(values, 2, sizeof(int), compare);
    return 0;
}
