// property: valid-memsafety
// verdict: true
// inputs:
// cause: no input: a ring of nodes on the heap, one is taken out, all are freed
typedef unsigned long size_t;
extern void *malloc(size_t);
extern void free(void *);
struct node { struct node *next, *previous; int key; };
static struct node ring = {&ring, &ring, 0};
static void insert(int key) {
    struct node *at = ring.next, *fresh = malloc(sizeof *fresh);
    while (at != &ring && at->key < key)
        at = at->next;
    fresh->key = key;
    fresh->next = at;
    fresh->previous = at->previous;
    at->previous->next = fresh;
    at->previous = fresh;
}
static void take(struct node *n) {
    n->previous->next = n->next;
    n->next->previous = n->previous;
    free(n);
}
int main(void) {
    for (int i = 0; i < 7; i++)
        insert(i * 5 % 7);
    take(ring.next->next);
    while (ring.next != &ring)
        take(ring.next);
    return 0;
}
