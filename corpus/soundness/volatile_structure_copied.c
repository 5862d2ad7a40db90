// property: unreach-call
// verdict: false
// cause: a volatile member in a copy of the structure
extern void reach_error(void);
struct sample {
    int kind;
    volatile int value;
};
struct sample last = {1, 2};
int main(void) {
    struct sample now = last;
    if (now.value != 2)
        reach_error();
    return 0;
}
