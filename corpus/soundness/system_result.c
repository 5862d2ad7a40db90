// property: unreach-call
// verdict: true
// allowed: unknown
// inputs:
// cause: which results a command has, is not known
extern void reach_error(void);
extern int system(const char *);
int main(void) {
    if (system("true") == 123456789)
        reach_error();
    return 0;
}
