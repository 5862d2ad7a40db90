// property: unreach-call
// verdict: true
// oracle: clang
// inputs: 0; 31; -1
// cause: integers of 5, 17 and 100 bits are computed in their width
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct mixed { _BitInt(24) a; char c; unsigned _BitInt(100) big; };
static _BitInt(17) value = 65535;
int main(void) {
    int n = __VERIFIER_nondet_int();
    unsigned _BitInt(5) small = n;
    struct mixed mixed = {-1, 2, (unsigned _BitInt(100)) -1}, copy = mixed;
    if (small > 31 || (unsigned) small != (n & 31u))
        reach_error();
    small = 31;
    small++;
    if (small != 0 || small - 1 != -1)
        reach_error();
    if (sizeof mixed != 24 || copy.a != -1 || copy.big + 1 != 0 || copy.big >> 99 != 1)
        reach_error();
    value -= 3;
    return value != 65532 && (reach_error(), 1);
}
