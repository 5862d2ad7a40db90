// property: unreach-call
// verdict: true
// inputs: 7
// cause: a cast of a vector keeps its bits, and elements are where an array has them
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
typedef int four __attribute__((vector_size(16)));
typedef long two __attribute__((vector_size(16)));
typedef union { four v; int a[4]; } both;

static four sum(four a, four b) { return a + b; }

int main(void) {
    int x = __VERIFIER_nondet_uchar();
    four v = {x, 1, 2};
    both u;
    two w = (two) v;
    u.v = sum(v, v) * 2;
    if (w[1] != 2 || u.a[0] != 4 * x || u.a[1] != 4 || u.a[3] != 0) reach_error();
    v[3] = u.a[2];
    if (((int *) &v)[3] != 8 || sizeof(v) != 16) reach_error();
    return 0;
}
