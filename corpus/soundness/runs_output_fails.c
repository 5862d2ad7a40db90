// property: unreach-call
// verdict: false
// allowed: unknown
// cause: printf gives a negative number where the output is closed
extern void reach_error(void);
extern int printf(const char *, ...);
int main(void) {
    int written = printf("%s\n", "ten bytes");
    if (written < 0)
        reach_error();
    return 0;
}
