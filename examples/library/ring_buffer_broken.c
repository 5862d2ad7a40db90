// Like ring_buffer.c, but broken: the write position goes round one too late.
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void __VERIFIER_assert(int holds) {
    if (!holds)
        reach_error();
}

enum { CAPACITY = 5 };

struct ring {
    int items[CAPACITY];
    unsigned head, tail, count;
};

static int push(struct ring *ring, int value) {
    if (ring->count == CAPACITY)
        return 0;
    ring->items[ring->tail] = value;
    if (ring->tail++ == CAPACITY)
        ring->tail = 0;
    ring->count++;
    return 1;
}

static int pop(struct ring *ring, int *value) {
    if (ring->count == 0)
        return 0;
    *value = ring->items[ring->head];
    if (++ring->head == CAPACITY)
        ring->head = 0;
    ring->count--;
    return 1;
}

int main(void) {
    struct ring ring = {.head = 0};
    unsigned steps = __VERIFIER_nondet_uint();
    if (steps > 16)
        return 0;
    while (steps-- > 0) {
        int value = __VERIFIER_nondet_int();
        if (value >= 0)
            push(&ring, value);
        else
            pop(&ring, &value);
        __VERIFIER_assert(ring.count <= CAPACITY);
    }
    return 0;
}
