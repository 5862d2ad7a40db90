// property: unreach-call
// verdict: true
// note: sequenced side effects only: statements, &&, comma and ?: order them
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a[4] = {0}, i = 0;
    a[i++] = 1;
    a[i] = i, i++;
    int old = i++;
    if (a[0] != 1 || a[1] != 1 || old != 2 || i != 3) reach_error();
    int x = __VERIFIER_nondet_int() & 7;
    int y = x++ > 3 ? x-- : --x;
    if (y != (x == y ? y : x + 1)) reach_error();
    return 0;
}
