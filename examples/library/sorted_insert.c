// Keeps the smallest numbers of a stream, sorted, in an array of fixed size.
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void *memmove(void *to, const void *from, unsigned long size);
extern void *malloc(unsigned long size);
extern void free(void *memory);
extern void abort(void);
extern void reach_error(void);

static void __VERIFIER_assert(int holds) {
    if (!holds)
        reach_error();
}

// The new number of elements; the largest leaves a full array.
static unsigned insert(int *sorted, unsigned count, unsigned room, int value) {
    unsigned at = 0;
    while (at < count && sorted[at] <= value)
        at++;
    if (at == room)
        return count;
    if (count == room)
        count--;
    memmove(&sorted[at + 1], &sorted[at], (count - at) * sizeof(int));
    sorted[at] = value;
    return count + 1;
}

int main(void) {
    unsigned room = __VERIFIER_nondet_uint(), numbers = __VERIFIER_nondet_uint(), count = 0;
    if (room == 0 || room > 5 || numbers > 8)
        return 0;
    int *sorted = malloc(room * sizeof(int));
    if (!sorted)
        abort();
    for (; numbers > 0; numbers--) {
        count = insert(sorted, count, room, __VERIFIER_nondet_int());
        for (unsigned i = 1; i < count; i++)
            __VERIFIER_assert(sorted[i - 1] <= sorted[i]);
    }
    free(sorted);
    return 0;
}
