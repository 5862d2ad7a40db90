// property: unreach-call
// verdict: false
// cause: a volatile structure copied as a whole
extern void reach_error(void);
struct pair {
    short a, b;
};
volatile struct pair point;
int main(void) {
    struct pair copy = point;
    if (copy.a == 12 && copy.b == -3)
        reach_error();
    return 0;
}
