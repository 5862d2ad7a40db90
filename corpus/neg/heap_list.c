// property: unreach-call
// verdict: false
// inputs: 3
// note: a list built on the heap; its length is one more than asked for
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long size);
extern void free(void *p);
extern void abort(void);

struct node {
    int value;
    struct node *next;
};

struct node *cons(int value, struct node *next) {
    struct node *n = malloc(sizeof *n);
    if (!n) abort();
    n->value = value;
    n->next = next;
    return n;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 20) return 0;
    struct node *list = 0;
    for (int i = 0; i <= n; i++) list = cons(i, list);
    int length = 0;
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
        length++;
    }
    if (length > n) reach_error();
    return 0;
}
