// property: unreach-call
// verdict: false
// inputs:
// note: as trap_two_calls, with a global that the callee does not touch
extern void reach_error(void);

int x;

void f(void) {}

int main(void) {
    x = 1;
    f();
    x = 2;
    f();
    if (x == 2) reach_error();
    return 0;
}
