// Like varint.c, but broken: shifts on while bytes say that more follow.
extern unsigned long __VERIFIER_nondet_ulong(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static void __VERIFIER_assert(int holds) {
    if (!holds)
        reach_error();
}

enum { LONGEST = 10 };

static unsigned encode(unsigned long number, unsigned char *to) {
    unsigned length = 0;
    for (; number > 127; number >>= 7)
        to[length++] = (number & 127) | 128;
    to[length++] = number;
    return length;
}

// How many bytes were read; 0 if no number ends within the buffer.
static unsigned decode(const unsigned char *from, unsigned length, unsigned long *number) {
    *number = 0;
    for (unsigned i = 0; i < length; i++) {
        *number |= (unsigned long)(from[i] & 127) << 7 * i;
        if (from[i] < 128)
            return i + 1;
    }
    return 0;
}

int main(void) {
    unsigned char buffer[LONGEST + 2];
    unsigned long number = __VERIFIER_nondet_ulong(), again;
    unsigned length = encode(number, buffer);
    __VERIFIER_assert(decode(buffer, length, &again) == length);
    __VERIFIER_assert(again == number);
    for (unsigned i = 0; i < sizeof buffer; i++)
        buffer[i] = __VERIFIER_nondet_uchar();
    decode(buffer, sizeof buffer, &again);
    return 0;
}
