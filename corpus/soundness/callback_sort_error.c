// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// cause: qsort gets a function that ends in an error
extern void reach_error(void);
extern void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
int main(void) {
    char letters[3] = { 'c', 'a', 'b' };
    qsort(letters, 3, 1, (int (*)(const void *, const void *))reach_error);
    return 0;
}
