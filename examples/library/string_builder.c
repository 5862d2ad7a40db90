// Text that grows: pieces are appended, and the memory is doubled as often as it takes.
extern unsigned __VERIFIER_nondet_uint(void);
extern void *malloc(unsigned long size);
extern void *realloc(void *memory, unsigned long size);
extern void *memset(void *memory, int byte, unsigned long size);
extern unsigned long strlen(const char *text);
extern void free(void *memory);
extern void abort(void);
extern void reach_error(void);

static void __VERIFIER_assert(int holds) {
    if (!holds)
        reach_error();
}

struct builder {
    char *text;
    unsigned length, room;
};

// Room for so many more letters and the zero behind them.
static void reserve(struct builder *builder, unsigned more) {
    while (builder->room - builder->length <= more) {
        builder->room *= 2;
        builder->text = realloc(builder->text, builder->room);
        if (!builder->text)
            abort();
    }
}

static void append(struct builder *builder, char letter, unsigned times) {
    reserve(builder, times);
    memset(builder->text + builder->length, letter, times);
    builder->length += times;
    builder->text[builder->length] = '\0';
}

int main(void) {
    struct builder builder = {malloc(4), 0, 4};
    if (!builder.text)
        abort();
    builder.text[0] = '\0';
    for (int i = 0; i < 4; i++) {
        unsigned times = __VERIFIER_nondet_uint();
        if (times <= 20)
            append(&builder, 'a', times);
    }
    __VERIFIER_assert(strlen(builder.text) == builder.length);
    free(builder.text);
    return 0;
}
