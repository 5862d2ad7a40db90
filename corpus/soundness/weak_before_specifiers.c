// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// cause: the attribute stands before the specifiers
extern void reach_error(void);
__attribute__((weak)) extern const char version[8];
int main(void) {
    if (!version)
        reach_error();
    return 0;
}
