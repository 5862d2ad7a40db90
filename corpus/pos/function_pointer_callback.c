// property: unreach-call
// verdict: true
// note: callbacks as arguments, compared, called with and without *
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

typedef int (*step)(int);

int up(int x) { return x + 1; }
int down(int x) { return x - 1; }

int repeat(step f, int times, int x) {
    while (times-- > 0) x = (*f)(x);
    return x;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100) return 0;
    step f = n % 2 ? &up : down;
    int x = repeat(f, n, 0);
    if (f == up && x != n) reach_error();
    if (f != up && x != -n) reach_error();
    return 0;
}
