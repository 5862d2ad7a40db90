// property: unreach-call
// verdict: true
// note: a list reversed in place; memory comes from calloc and starts as zero
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *calloc(unsigned long count, unsigned long size);
extern void free(void *p);
extern void abort(void);

struct node {
    int value;
    struct node *next;
};

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 10) return 0;
    struct node *list = 0;
    for (int i = 0; i < n; i++) {
        struct node *fresh = calloc(1, sizeof(struct node));
        if (!fresh) abort();
        if (fresh->value != 0 || fresh->next) reach_error();
        fresh->value = i;
        fresh->next = list;
        list = fresh;
    }
    struct node *reversed = 0;
    while (list) {
        struct node *next = list->next;
        list->next = reversed;
        reversed = list;
        list = next;
    }
    for (int i = 0; i < n; i++) {
        if (reversed->value != i) reach_error();
        struct node *next = reversed->next;
        free(reversed);
        reversed = next;
    }
    if (reversed) reach_error();
    return 0;
}
