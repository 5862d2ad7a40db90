// property: unreach-call
// verdict: true
// allowed: unknown
// cause: the other members in a copy of the structure
extern void reach_error(void);
struct sample {
    int kind;
    volatile int value;
};
struct sample last = {1, 2};
int main(void) {
    struct sample now = last;
    if (now.kind != 1)
        reach_error();
    return 0;
}
