// property: unreach-call
// verdict: false
// inputs: 1234
// cause: an input through a table of functions
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int constant(void) { return 1; }
static int (*const sources[])(void) = { constant, __VERIFIER_nondet_int };
int main(void) {
    if (sources[1]() == 1234)
        reach_error();
    return 0;
}
