// property: unreach-call
// verdict: true
// allowed: unknown
// inputs: 4; 5; 9; 10
// cause: bsearch gives the element, or null
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *bsearch(const void *, const void *, unsigned long, unsigned long,
                     int (*)(const void *, const void *));
static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
int main(void) {
    static const int a[] = {1, 4, 9, 16};
    int key = __VERIFIER_nondet_int();
    const int *found = bsearch(&key, a, 4, sizeof a[0], compare);
    int is_there = key == 1 || key == 4 || key == 9 || key == 16;
    if ((found != 0) != is_there || found && *found != key)
        reach_error();
    return 0;
}
