// property: unreach-call
// verdict: false
// inputs: 1
// note: jumps into the middle of a loop: the cycle has two entries
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = 0;
    if (__VERIFIER_nondet_int()) goto middle;
    while (x < 4) {
        x += 2;
    middle:
        x += 1;
    }
    if (x == 4) reach_error();
    return 0;
}
