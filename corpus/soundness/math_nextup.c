// property: unreach-call
// verdict: true
// inputs:
// cause: nextup of zero is the smallest number, and llogb of zero the smallest long
extern void reach_error(void);
extern double nextup(double), nextdown(double);
extern long llogb(double);
int main(void) {
    if (nextup(0.0) != 4.9406564584124654e-324 || nextdown(1.0) >= 1.0)
        reach_error();
    if (llogb(8.0) != 3 || llogb(0.0) != -9223372036854775807L - 1)
        reach_error();
    return 0;
}
