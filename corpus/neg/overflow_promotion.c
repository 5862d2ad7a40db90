// property: no-overflow
// verdict: false
// inputs: 65535
// note: unsigned short is promoted to int, so its square overflows a signed type
extern unsigned short __VERIFIER_nondet_ushort(void);

int main(void) {
    unsigned short x = __VERIFIER_nondet_ushort();
    unsigned square = x * x;
    return square == 4;
}
