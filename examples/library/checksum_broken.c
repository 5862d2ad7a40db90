// Like checksum.c, but broken: an odd byte at the end is read as a word.
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void *malloc(unsigned long size);
extern void free(void *memory);
extern void abort(void);
extern void reach_error(void);

static void __VERIFIER_assert(int holds) {
    if (!holds)
        reach_error();
}

static unsigned checksum(const unsigned char *data, unsigned length) {
    unsigned sum = 0, i = 0;
    for (; i < length; i += 2)
        sum += (unsigned)data[i] << 8 | data[i + 1];
    if (i < length)
        sum += (unsigned)data[i] << 8;
    while (sum > 0xffff)
        sum = (sum & 0xffff) + (sum >> 16);
    return ~sum & 0xffff;
}

int main(void) {
    unsigned length = __VERIFIER_nondet_uint();
    if (length > 9)
        return 0;
    unsigned char *data = malloc(length);
    if (!data)
        abort();
    for (unsigned i = 0; i < length; i++)
        data[i] = __VERIFIER_nondet_uchar();
    __VERIFIER_assert(checksum(data, length) <= 0xffff);
    free(data);
    return 0;
}
