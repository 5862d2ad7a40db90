// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// cause: a function is declared with the label of another one
extern void reach_error(void);
extern int twice(int) __asm__("thrice");
int thrice(int x) { return 3 * x; }
int main(void) {
    if (twice(2) == 6)
        reach_error();
    return 0;
}
