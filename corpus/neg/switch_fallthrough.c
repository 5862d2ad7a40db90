// property: unreach-call
// verdict: false
// inputs: 2
// note: case 2 falls through into case 3
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int r = 0;
    switch (__VERIFIER_nondet_int()) {
    case 1: r = 1; break;
    case 2: r = 2;
    case 3: r = 3; break;
    default: r = 4;
    }
    if (r != 3) return 0;
    reach_error();
    return 0;
}
