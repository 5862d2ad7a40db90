// property: unreach-call
// verdict: true
// inputs:
// cause: strtol stops at what is no digit, and says what is out of range
extern void reach_error(void);
extern long strtol(const char *, char **, int);
extern int *__errno_location(void);
int main(void) {
    const char *text = " -0x1fz";
    char *end;
    if (strtol(text, &end, 0) != -31 || end != text + 6 || strtol("077", 0, 8) != 63)
        reach_error();
    *__errno_location() = 0;
    if (strtol("99999999999999999999", &end, 10) != 9223372036854775807 || *__errno_location() != 34)
        reach_error();
    if (strtol("none", &end, 10) != 0 || *end != 'n' || strtol("zz", 0, 36) != 35 * 36 + 35)
        reach_error();
    return 0;
}
