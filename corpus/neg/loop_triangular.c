// property: unreach-call
// verdict: false
// inputs: 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1
// note: i is triangular in j: fails after 20 iterations (loops paper, end of section 5)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int i = 0, j = 0;
    while (__VERIFIER_nondet_int()) {
        j++;
        i = i + j;
        if (!(i < 210)) reach_error();
    }
    return 0;
}
