// property: unreach-call
// verdict: false
// inputs:
// cause: %n writes
extern void reach_error(void);
extern int sprintf(char *, const char *, ...);
int main(void) {
    char text[8];
    int n = 0;
    sprintf(text, "abc%nd", &n);
    if (n == 3)
        reach_error();
    return 0;
}
