// property: unreach-call
// verdict: false
// cause: plain members of a volatile structure
extern void reach_error(void);
struct frame {
    int head, tail;
};
volatile struct frame ring;
int main(void) {
    ring.head = 1;
    if (ring.head != 1)
        reach_error();
    return 0;
}
