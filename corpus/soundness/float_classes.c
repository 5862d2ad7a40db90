// property: unreach-call
// verdict: true
// inputs:
// cause: classes of floating-point numbers, by built-ins and by functions
extern void reach_error(void);
extern double fabs(double), floor(double), fmax(double, double);
int main(void) {
    double infinite = __builtin_inf(), nan = __builtin_nan("");
    if (!__builtin_isinf(infinite) || __builtin_isinf(1e308) || !__builtin_isnan(nan))
        reach_error();
    if (fabs(-2.5) != 2.5 || floor(-0.5) != -1.0 || fmax(nan, 3.0) != 3.0)
        reach_error();
    if (__builtin_signbit(0.0) || __builtin_isfinite(infinite))
        reach_error();
    return 0;
}
