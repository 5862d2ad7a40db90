// property: unreach-call
// verdict: true
// allowed: unknown
// inputs: 0; 1
// cause: labels are found by their distances from the first one
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int way = __VERIFIER_nondet_int() & 1;
    long offset = way ? (char *)&&b - (char *)&&a : 0;
    goto *((char *)&&a + offset);
a:
    if (way)
        reach_error();
b:
    return 0;
}
