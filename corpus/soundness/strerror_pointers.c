// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// cause: two messages may stand in two places
extern void reach_error(void);
extern char *strerror(int);
int main(void) {
    char *first = strerror(1), *second = strerror(2);
    if (first != second)
        reach_error();
    return 0;
}
