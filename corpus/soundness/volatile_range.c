// property: unreach-call
// verdict: true
// cause: any value of its type, and no other
extern void reach_error(void);
extern const volatile unsigned char level;
int main(void) {
    int n = level;
    if (n < 0 || n > 255)
        reach_error();
    return 0;
}
