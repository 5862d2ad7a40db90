// A cache of a few keys, in a list with links in both directions: the one that was not used for
// the longest time makes room for a new one.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void *malloc(unsigned long size);
extern void free(void *memory);
extern void abort(void);

enum { MOST = 3 };

struct entry {
    unsigned char key;
    struct entry *newer, *older;
};

struct cache {
    unsigned count;
    struct entry *newest, *oldest;
};

static void unlink_entry(struct cache *cache, struct entry *entry) {
    if (entry->newer)
        entry->newer->older = entry->older;
    else
        cache->newest = entry->older;
    if (entry->older)
        entry->older->newer = entry->newer;
    else
        cache->oldest = entry->newer;
}

static void put_first(struct cache *cache, struct entry *entry) {
    entry->newer = 0;
    entry->older = cache->newest;
    if (cache->newest)
        cache->newest->newer = entry;
    else
        cache->oldest = entry;
    cache->newest = entry;
}

static struct entry *find(struct cache *cache, unsigned char key) {
    struct entry *entry = cache->newest;
    while (entry && entry->key != key)
        entry = entry->older;
    return entry;
}

static void use(struct cache *cache, unsigned char key) {
    struct entry *entry = find(cache, key);
    if (entry) {
        unlink_entry(cache, entry);
    } else if (cache->count < MOST) {
        entry = malloc(sizeof *entry);
        if (!entry)
            abort();
        cache->count++;
    } else {
        entry = cache->oldest;
        unlink_entry(cache, entry);
    }
    entry->key = key;
    put_first(cache, entry);
}

int main(void) {
    struct cache cache = {0};
    unsigned uses = __VERIFIER_nondet_uint();
    if (uses > 8)
        return 0;
    while (uses-- > 0)
        use(&cache, __VERIFIER_nondet_uchar() % 5);
    while (cache.newest) {
        struct entry *entry = cache.newest;
        unlink_entry(&cache, entry);
        free(entry);
    }
    return 0;
}
