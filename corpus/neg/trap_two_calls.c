// property: unreach-call
// verdict: false
// inputs:
// note: the second call must not return with the first caller's facts (DESIGN.md 5)
extern void reach_error(void);

void f(void) {}

int main(void) {
    int x = 1;
    f();
    x = 2;
    f();
    if (x == 2) reach_error();
    return 0;
}
