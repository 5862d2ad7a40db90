// property: unreach-call
// verdict: true
// allowed: unknown
// cause: C leaves the quotient of complex numbers open where it is not exact: none refutes
extern void reach_error(void);

int main(void) {
    double _Complex z = (1.0 + 2.0i) / (3.0 - 1.0i);
    if (__real__ z > 1) reach_error();
    return 0;
}
