// A binary heap in an array that is exactly large enough: keeps the largest numbers of a stream,
// the least of them in front.
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *memory);
extern void abort(void);
extern void reach_error(void);

static void __VERIFIER_assert(int holds) {
    if (!holds)
        reach_error();
}

static void swap(int *a, int *b) {
    int old = *a;
    *a = *b;
    *b = old;
}

static void push(int *heap, unsigned size, int value) {
    unsigned at = size;
    heap[at] = value;
    while (at > 0 && heap[(at - 1) / 2] > heap[at]) {
        swap(&heap[(at - 1) / 2], &heap[at]);
        at = (at - 1) / 2;
    }
}

static void sift_down(int *heap, unsigned size) {
    unsigned at = 0;
    while (2 * at + 1 < size) {
        unsigned child = 2 * at + 1;
        if (child + 1 < size && heap[child + 1] < heap[child])
            child++;
        if (heap[at] <= heap[child])
            return;
        swap(&heap[at], &heap[child]);
        at = child;
    }
}

int main(void) {
    unsigned size = __VERIFIER_nondet_uint();
    if (size == 0 || size > 8)
        return 0;
    int *heap = malloc(size * sizeof(int));
    if (!heap)
        abort();
    for (unsigned i = 0; i < size; i++)
        push(heap, i, __VERIFIER_nondet_int());
    for (int turns = 0; turns < 3; turns++) {
        int value = __VERIFIER_nondet_int();
        if (value <= heap[0])
            continue;
        heap[0] = value;
        sift_down(heap, size);
    }
    for (unsigned i = 1; i < size; i++)
        __VERIFIER_assert(heap[0] <= heap[i]);
    free(heap);
    return 0;
}
