// property: unreach-call
// verdict: false
// inputs:
// cause: strcmp as a parameter: equal texts are equal
extern void reach_error(void);
extern int strcmp(const char *, const char *);
static int same(int (*compare)(const char *, const char *), const char *a, const char *b) {
    return compare(a, b) == 0;
}
int main(void) {
    if (same(strcmp, "key", "key"))
        reach_error();
    return 0;
}
