// property: unreach-call
// verdict: true
// inputs:
// cause: output may set errno, never to 0 or less
extern void reach_error(void);
extern int *__errno_location(void);
extern int printf(const char *, ...);
int main(void) {
    *__errno_location() = 5;
    printf("hello\n");
    if (*__errno_location() <= 0)
        reach_error();
    return 0;
}
