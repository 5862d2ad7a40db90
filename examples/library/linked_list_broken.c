// Like linked_list.c, but broken: goes on from a node that it has just freed.
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

struct node {
    int value;
    struct node *next;
};

static struct node *prepend(struct node *list, int value) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    node->value = value;
    node->next = list;
    return node;
}

static void remove_all(struct node **list, int value) {
    struct node **link = list;
    for (struct node *node = *list; node; node = node->next) {
        if (node->value == value) {
            *link = node->next;
            free(node);
        } else {
            link = &node->next;
        }
    }
}

int main(void) {
    struct node *list = 0;
    unsigned length = __VERIFIER_nondet_uint();
    if (length > 6)
        return 0;
    for (unsigned i = 0; i < length; i++)
        list = prepend(list, __VERIFIER_nondet_int());
    remove_all(&list, 0);
    while (list) {
        struct node *next = list->next;
        __VERIFIER_assert(list->value != 0);
        free(list);
        list = next;
    }
    return 0;
}
