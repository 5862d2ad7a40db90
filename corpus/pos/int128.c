// property: unreach-call
// verdict: true
// note: 128-bit integers of GNU C hold the product of two 64-bit ones
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);

int main(void) {
    unsigned long a = __VERIFIER_nondet_ulong();
    unsigned long b = __VERIFIER_nondet_ulong();
    unsigned __int128 product = (unsigned __int128)a * b;
    unsigned long high = product >> 64, low = product;
    if (low != a * b) reach_error();
    if (b != 0 && high >= b) reach_error();
    if (sizeof(__int128) != 16) reach_error();
    return 0;
}
