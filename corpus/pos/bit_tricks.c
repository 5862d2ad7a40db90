// property: unreach-call
// verdict: true
// note: masks and exclusive or; parity by folding agrees with parity by counting
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    unsigned y = __VERIFIER_nondet_uint();
    if ((x & y) + (x | y) != x + y) reach_error();
    unsigned a = x, b = y;
    a ^= b;
    b ^= a;
    a ^= b;
    if (a != y || b != x) reach_error();
    unsigned fold = x;
    for (int shift = 16; shift > 0; shift /= 2) fold ^= fold >> shift;
    unsigned ones = 0;
    for (unsigned rest = x; rest != 0; rest &= rest - 1) ones++;
    if ((fold & 1) != ones % 2) reach_error();
    return 0;
}
