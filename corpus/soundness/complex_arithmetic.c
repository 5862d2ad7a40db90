// property: unreach-call
// verdict: true
// inputs:
// cause: a real operand of a complex operator stays real, and casts take or make a part
extern void reach_error(void);
typedef double _Complex number;

static number one = 1.0 + 2.0i, both[2] = {3.0, -4.0i};

static number twice(number z) { return z + z; }

int main(void) {
    number z = one * (both[0] + both[1]);
    double x = 2;
    if (__real__ z != 11 || __imag__ z != 2) reach_error();
    z *= x;
    __imag__ z += 1;
    if (twice(z) != 44 + 10.0i || -z == z || ~z != 22 - 5.0i) reach_error();
    x *= z;
    if (x != 44 || ((double *) &z)[1] != 5 || !z || !1.0i) reach_error();
    return 0;
}
