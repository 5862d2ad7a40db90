// property: unreach-call
// verdict: false
// inputs:
// note: reachable only by wrapping around: a closed form i == 3*n over the integers says never
extern void reach_error(void);

int main(void) {
    unsigned short i = 0;
    do i += 3; while (i != 1);
    reach_error();
    return 0;
}
