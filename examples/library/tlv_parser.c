// A message of records: a tag, a length, and that many bytes. Sums up the records with one tag.
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void *malloc(unsigned long size);
extern void free(void *memory);
extern void abort(void);

typedef unsigned char byte;

// Where the record behind this one begins; null at the end and where the message is cut off.
static const byte *next(const byte *at, const byte *end) {
    if (end - at < 2 || end - at - 2 < at[1])
        return 0;
    return at + 2 + at[1];
}

static unsigned sum(const byte *message, unsigned length, byte tag) {
    const byte *end = message + length;
    unsigned total = 0;
    for (const byte *at = message, *behind; (behind = next(at, end)); at = behind)
        if (at[0] == tag)
            for (const byte *value = at + 2; value < behind; value++)
                total += *value;
    return total;
}

int main(void) {
    unsigned length = __VERIFIER_nondet_uint();
    if (length > 10)
        return 0;
    byte *message = malloc(length);
    if (!message)
        abort();
    for (unsigned i = 0; i < length; i++)
        message[i] = __VERIFIER_nondet_uchar();
    unsigned total = sum(message, length, 1);
    free(message);
    return total > 255 * length;
}
