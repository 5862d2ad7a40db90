// property: unreach-call
// verdict: true
// inputs:
// oracle: gcc
// cause: few digits decide what a number in a text is
extern void reach_error(void);
extern double strtod(const char *, char **);
int main(void) {
    char *end;
    const char *text = " -1.5e3x";
    if (strtod(text, &end) != -1500.0 || end != text + 7)
        reach_error();
    if (strtod("0x.8p2", 0) != 2.0 || strtod("0.1", 0) != 0.1)
        reach_error();
    return 0;
}
