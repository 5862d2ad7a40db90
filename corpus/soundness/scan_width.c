// property: unreach-call
// verdict: true
// allowed: unknown
// inputs:
// cause: a number is read from no more characters than the width says
extern void reach_error(void);
extern int scanf(const char *, ...);
int main(void) {
    int number = 0;
    if (scanf("%2d", &number) == 1 && (number > 99 || number < -9))
        reach_error();
    return 0;
}
