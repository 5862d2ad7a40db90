// property: unreach-call
// verdict: false
// inputs:
// cause: the imaginary part of a real operand is not 0: adding it would lose the sign of -0
extern void reach_error(void);

int main(void) {
    double _Complex z = -0.0i;
    z = 1.0 + -z;
    z = -z;
    if (__builtin_copysign(1.0, __imag__ z) < 0) reach_error();
    return 0;
}
