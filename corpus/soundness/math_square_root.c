// property: unreach-call
// verdict: true
// inputs:
// oracle: gcc
// cause: what IEEE 754 fixes is computed exactly
extern void reach_error(void);
extern double sqrt(double), fmod(double, double), nextafter(double, double);
int main(void) {
    if (sqrt(2.0) * sqrt(2.0) == 2.0 || sqrt(0x1p-1060) != 0x1p-530)
        reach_error();
    if (fmod(-5.5, 2.0) != -1.5 || nextafter(1.0, 2.0) != 1.0 + 0x1p-52)
        reach_error();
    return 0;
}
