// Memory handed out piece by piece from one block, and given back all at once.
extern unsigned __VERIFIER_nondet_uint(void);
extern void *malloc(unsigned long size);
extern void free(void *memory);
extern void abort(void);

struct arena {
    unsigned char *memory;
    unsigned size, used;
};

// A piece that begins at a multiple of eight bytes; null if there is no room.
static void *allocate(struct arena *arena, unsigned bytes) {
    if (bytes > arena->size - arena->used)
        return 0;
    unsigned rounded = (bytes + 7) / 8 * 8;
    unsigned char *piece = arena->memory + arena->used;
    arena->used += rounded;
    return piece;
}

int main(void) {
    struct arena arena = {malloc(64), 64, 0};
    if (!arena.memory)
        abort();
    for (int i = 0; i < 6; i++) {
        unsigned bytes = __VERIFIER_nondet_uint();
        if (bytes == 0)
            continue;
        char *piece = allocate(&arena, bytes);
        if (!piece)
            break;
        piece[0] = 1;
        piece[bytes - 1] = 2;
    }
    free(arena.memory);
    return 0;
}
