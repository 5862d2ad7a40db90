// property: unreach-call
// verdict: false
// note: trap_wrap_by_three in 32 bits: 2863311531 iterations, more than a test can execute
extern void reach_error(void);

int main(void) {
    unsigned i = 0;
    do i += 3; while (i != 1);
    reach_error();
    return 0;
}
