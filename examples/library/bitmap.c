// A set of small numbers, one bit each, in words of 32 bits.
extern unsigned __VERIFIER_nondet_uint(void);
extern void *calloc(unsigned long count, unsigned long size);
extern void free(void *memory);
extern void abort(void);
extern void reach_error(void);

static void __VERIFIER_assert(int holds) {
    if (!holds)
        reach_error();
}

struct bitmap {
    unsigned bits;
    unsigned *words;
};

static struct bitmap make(unsigned bits) {
    struct bitmap map = {bits, calloc((bits + 31) / 32, sizeof(unsigned))};
    if (!map.words)
        abort();
    return map;
}

static void set(struct bitmap *map, unsigned bit) {
    if (bit < map->bits)
        map->words[bit / 32] |= 1u << bit % 32;
}

static int test(const struct bitmap *map, unsigned bit) {
    return bit < map->bits && (map->words[bit / 32] >> bit % 32 & 1);
}

int main(void) {
    unsigned bits = __VERIFIER_nondet_uint();
    if (bits == 0 || bits > 100)
        return 0;
    struct bitmap map = make(bits);
    for (int turns = 0; turns < 3; turns++) {
        unsigned bit = __VERIFIER_nondet_uint();
        set(&map, bit);
        __VERIFIER_assert(test(&map, bit) == (bit < bits));
    }
    free(map.words);
    return 0;
}
