// property: unreach-call
// verdict: true
// note: _Complex arithmetic
extern void reach_error(void);

int main(void) {
    double _Complex z = 3.0;
    __imag__ z = 1.0;
    if (__real__(z * z) != 8.0) reach_error();
    return 0;
}
