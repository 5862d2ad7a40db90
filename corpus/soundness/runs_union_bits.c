// property: unreach-call
// verdict: true
// inputs:
// cause: no input: the bits of a float, by a union
extern void reach_error(void);
union word { float number; unsigned bits; unsigned char bytes[4]; };
int main(void) {
    union word w;
    w.number = -2.5f;
    unsigned sum = w.bytes[0] + w.bytes[1] + w.bytes[2] + w.bytes[3];
    if (w.bits != 0xc0200000u || sum != 0xc0 + 0x20)
        reach_error();
    return 0;
}
