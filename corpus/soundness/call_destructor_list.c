// property: valid-memtrack
// verdict: true
// allowed: unknown
// inputs:
// cause: a list is destroyed by the function that is given
extern void *malloc(unsigned long);
extern void free(void *);
struct node {
    struct node *next;
    void *data;
};
static void destroy(struct node *list, void (*release)(void *)) {
    while (list) {
        struct node *next = list->next;
        release(list->data);
        release(list);
        list = next;
    }
}
int main(void) {
    struct node *list = malloc(sizeof *list);
    list->next = 0;
    list->data = malloc(1);
    destroy(list, free);
    return 0;
}
