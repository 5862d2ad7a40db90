// Like hash_table.c, but broken: the hash is signed: a letter above 127 makes it, and the
// remainder, negative.
extern unsigned __VERIFIER_nondet_uint(void);
extern char __VERIFIER_nondet_char(void);
extern int strcmp(const char *a, const char *b);
extern char *strcpy(char *to, const char *from);
extern void *malloc(unsigned long size);
extern void free(void *memory);
extern void abort(void);

enum { BUCKETS = 8, LETTERS = 4 };

struct entry {
    char name[LETTERS + 1];
    unsigned uses;
    struct entry *next;
};

static int bucket(const char *name) {
    short hash = 0;
    for (; *name != '\0'; name++)
        hash = hash * 31 + *name;
    return hash % BUCKETS;
}

struct table {
    struct entry *buckets[BUCKETS];
    unsigned count;
};

static void use(struct table *table, const char *name) {
    for (struct entry *at = table->buckets[bucket(name)]; at; at = at->next)
        if (strcmp(at->name, name) == 0) {
            at->uses++;
            return;
        }
    struct entry *entry = malloc(sizeof *entry);
    if (!entry)
        abort();
    strcpy(entry->name, name);
    entry->uses = 1;
    entry->next = table->buckets[bucket(name)];
    table->buckets[bucket(name)] = entry;
    table->count++;
}

static void drop(struct table *table) {
    for (int i = 0; i < BUCKETS; i++)
        while (table->buckets[i]) {
            struct entry *next = table->buckets[i]->next;
            free(table->buckets[i]);
            table->buckets[i] = next;
            table->count--;
        }
}

int main(void) {
    struct table table = {.count = 0};
    unsigned names = __VERIFIER_nondet_uint();
    if (names > 4)
        return 0;
    for (unsigned i = 0; i < names; i++) {
        char name[LETTERS + 1] = "";
        for (int letter = 0; letter < LETTERS; letter++)
            name[letter] = __VERIFIER_nondet_char();
        use(&table, name);
    }
    drop(&table);
    return table.count;
}
