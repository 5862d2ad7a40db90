// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// cause: of the sine only bounds are known
extern void reach_error(void);
extern double sin(double);
int main(void) {
    double sine = sin(1.0);
    if (sine > 0.5)
        reach_error();
    return 0;
}
