// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// cause: glibc gives -1 where the text ends behind a conversion that stores nothing
extern void reach_error(void);
extern int sscanf(const char *, const char *, ...);
int main(void) {
    int number = 0;
    if (sscanf("5", "%*d%d", &number) == -1)
        reach_error();
    return number;
}
