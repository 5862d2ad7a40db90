// The checksum CRC-32, by a table for half bytes that is computed first.
extern unsigned __VERIFIER_nondet_uint(void);
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

static void __VERIFIER_assert(int holds) {
    if (!holds)
        reach_error();
}

struct crc {
    unsigned table[16];
    unsigned value;
};

static void begin(struct crc *crc) {
    for (unsigned i = 0; i < 16; i++) {
        unsigned entry = i;
        for (int bit = 0; bit < 4; bit++)
            entry = entry & 1 ? entry >> 1 ^ 0xedb88320u : entry >> 1;
        crc->table[i] = entry;
    }
    crc->value = ~0u;
}

static void update(struct crc *crc, const char *data, unsigned length) {
    for (unsigned i = 0; i < length; i++) {
        unsigned char byte = data[i];
        int low = crc->value & 15;
        crc->value = crc->value >> 4 ^ crc->table[low ^ (byte & 15)];
        low = crc->value & 15;
        crc->value = crc->value >> 4 ^ crc->table[low ^ byte >> 4];
    }
}

int main(void) {
    char data[6];
    unsigned length = __VERIFIER_nondet_uint();
    if (length > sizeof data)
        return 0;
    for (unsigned i = 0; i < length; i++)
        data[i] = __VERIFIER_nondet_char();
    struct crc crc;
    begin(&crc);
    update(&crc, data, length);
    __VERIFIER_assert(length > 0 || crc.value == ~0u);
    return 0;
}
