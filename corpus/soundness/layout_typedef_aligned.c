// property: unreach-call
// verdict: true
// note: a typedef may lower an alignment; `packed` is stronger than that of a type, not than that of a member
extern void reach_error(void);

typedef int loose __attribute__((aligned(1)));
struct record { char c; loose n; };
struct tight { char c; int *__attribute__((aligned(16))) p; } __attribute__((packed));
struct wide { char c; int *p __attribute__((aligned(16))); } __attribute__((packed));

int main(void) {
    if (sizeof(struct record) != 5) reach_error();
    if (sizeof(struct tight) != 1 + sizeof(int *) || sizeof(struct wide) != 32) reach_error();
    return 0;
}
