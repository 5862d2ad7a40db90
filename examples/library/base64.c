// Encodes bytes as base64 into a string that the caller frees.
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned long strlen(const char *text);
extern void *malloc(unsigned long size);
extern void free(void *memory);
extern void abort(void);
extern void reach_error(void);

static void __VERIFIER_assert(int holds) {
    if (!holds)
        reach_error();
}

static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static char *encode(const unsigned char *data, unsigned length) {
    char *text = malloc((length + 2) / 3 * 4 + 1), *to = text;
    if (!text)
        abort();
    for (unsigned i = 0; i < length; i += 3) {
        unsigned left = length - i;
        unsigned group = (unsigned)data[i] << 16;
        if (left > 1)
            group |= (unsigned)data[i + 1] << 8;
        if (left > 2)
            group |= data[i + 2];
        *to++ = DIGITS[group >> 18];
        *to++ = DIGITS[group >> 12 & 63];
        *to++ = left > 1 ? DIGITS[group >> 6 & 63] : '=';
        *to++ = left > 2 ? DIGITS[group & 63] : '=';
    }
    *to = '\0';
    return text;
}

int main(void) {
    unsigned char data[8];
    unsigned length = __VERIFIER_nondet_uint();
    if (length > sizeof data)
        return 0;
    for (unsigned i = 0; i < length; i++)
        data[i] = __VERIFIER_nondet_uchar();
    char *text = encode(data, length);
    __VERIFIER_assert(strlen(text) == (length + 2) / 3 * 4);
    free(text);
    return 0;
}
