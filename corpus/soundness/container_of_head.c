// property: unreach-call
// verdict: true
// inputs:
// oracle: gcc
// cause: container_of of the head of a list computes an address outside the head, and none is used
extern void reach_error(void);
struct head { struct head *next; };
struct item { int value; struct head link; };
#define container_of(pointer) ((struct item *)((char *)(pointer) - __builtin_offsetof(struct item, link)))
int main(void) {
    struct head head = {&head};
    struct item first = {1, {&head}}, second = {2, {&first.link}};
    int sum = 0;
    head.next = &second.link;
    for (struct item *at = container_of(head.next); &at->link != &head; at = container_of(at->link.next))
        sum += at->value;
    if (sum != 3)
        reach_error();
    return 0;
}
