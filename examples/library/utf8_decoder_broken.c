// Like utf8_decoder.c, but broken: trusts the first byte about how many follow.
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

// How many bytes a character that begins like this has; 0 for none.
static unsigned announced(unsigned char first) {
    if (first < 0x80)
        return 1;
    if (first >= 0xc2 && first < 0xe0)
        return 2;
    if (first >= 0xe0 && first < 0xf0)
        return 3;
    if (first >= 0xf0 && first < 0xf5)
        return 4;
    return 0;
}

static unsigned decode(const unsigned char *text, unsigned left) {
    unsigned bytes = announced(text[0]);
    if (bytes == 0 || left == 0)
        return 1;
    for (unsigned i = 1; i < bytes; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 1;
    return bytes;
}

int main(void) {
    unsigned length = __VERIFIER_nondet_uint();
    if (length > 8)
        return 0;
    unsigned char *text = malloc(length);
    if (!text)
        abort();
    for (unsigned i = 0; i < length; i++)
        text[i] = __VERIFIER_nondet_uchar();
    unsigned characters = 0;
    for (unsigned at = 0; at < length; at += decode(text + at, length - at))
        characters++;
    __VERIFIER_assert(characters <= length);
    free(text);
    return 0;
}
