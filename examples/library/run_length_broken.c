// Like run_length.c, but broken: the percentage of nothing.
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

static unsigned pack(const unsigned char *from, unsigned length, unsigned char *to) {
    unsigned used = 0;
    for (unsigned i = 0; i < length;) {
        unsigned run = 1;
        while (i + run < length && run < 255 && from[i + run] == from[i])
            run++;
        to[used++] = run;
        to[used++] = from[i];
        i += run;
    }
    return used;
}

static unsigned percent(unsigned part, unsigned whole) {
    return part * 100 / whole;
}

int main(void) {
    unsigned length = __VERIFIER_nondet_uint();
    if (length > 8)
        return 0;
    unsigned char *data = malloc(length), *packed = malloc(2 * length);
    if (!data || !packed)
        abort();
    for (unsigned i = 0; i < length; i++)
        data[i] = __VERIFIER_nondet_uchar();
    unsigned used = pack(data, length, packed);
    __VERIFIER_assert(used % 2 == 0 && percent(used, length) <= 200);
    free(data);
    free(packed);
    return 0;
}
