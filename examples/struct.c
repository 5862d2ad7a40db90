// A ring buffer: a struct that functions change through a pointer.
//
//   lakatos verify examples/struct.c
//
// should answer: refuted. `put` forgets to refuse a full buffer: after four elements `count`
// says 5 where only four fit. Any inputs of which five are not zero show it:
//
//   lakatos run examples/struct.c --inputs 1,1,1,1,1

extern int __VERIFIER_nondet_int(void);
extern void assert(int condition);

struct ring {
    int items[4];
    unsigned head : 2;  // wraps around by itself
    unsigned count;
};

static void put(struct ring *r, int item) {
    r->items[r->head] = item;
    r->head++;
    r->count++;
}

static int take(struct ring *r) {
    unsigned tail = (r->head - r->count) & 3;
    r->count--;
    return r->items[tail];
}

int main(void) {
    struct ring r = {.count = 0};
    for (int i = 0; i < 8; i++) {
        int item = __VERIFIER_nondet_int();
        if (item != 0) put(&r, item);
        else if (r.count > 0) take(&r);
        assert(r.count <= 4);
    }
    return 0;
}
