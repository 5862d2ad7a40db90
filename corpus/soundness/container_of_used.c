// property: valid-deref
// verdict: false
// inputs:
// cause: container_of of the head of a list is no item
struct head { struct head *next; };
struct item { int value; struct head link; };
#define container_of(pointer) ((struct item *)((char *)(pointer) - __builtin_offsetof(struct item, link)))
int main(void) {
    struct head *head = __builtin_malloc(sizeof *head);
    head->next = head;
    return container_of(head->next)->value != 0;
}
