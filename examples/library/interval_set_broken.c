// Like interval_set.c, but broken: computes a length as `int`, in which that of a wide interval
// does not fit.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void __VERIFIER_assert(int holds) {
    if (!holds)
        reach_error();
}

enum { MOST = 4 };

struct interval {
    int low, high;
};

struct set {
    unsigned count;
    struct interval all[MOST];
};

static int touch(struct interval a, struct interval b) {
    return a.low <= b.high && b.low <= a.high;
}

static int insert(struct set *set, struct interval new) {
    unsigned kept = 0;
    for (unsigned i = 0; i < set->count; i++) {
        struct interval old = set->all[i];
        if (touch(old, new)) {
            new.low = old.low < new.low ? old.low : new.low;
            new.high = old.high > new.high ? old.high : new.high;
        } else {
            set->all[kept++] = old;
        }
    }
    set->count = kept;
    if (kept == MOST)
        return 0;
    set->all[set->count++] = new;
    return 1;
}

static long measure(const struct set *set) {
    long sum = 0;
    for (unsigned i = 0; i < set->count; i++)
        sum += set->all[i].high - set->all[i].low + 1;
    return sum;
}

int main(void) {
    struct set set = {0};
    for (int i = 0; i < MOST + 1; i++) {
        struct interval new = {__VERIFIER_nondet_int(), __VERIFIER_nondet_int()};
        if (new.low <= new.high)
            insert(&set, new);
    }
    __VERIFIER_assert(measure(&set) >= set.count);
    return 0;
}
