// property: unreach-call
// verdict: false
// inputs:
// note: a covered second call must still return (stack abstraction thesis, figure 4.1)
extern void reach_error(void);

void foo(int k) {}

int main(void) {
    foo(2);
    foo(2);
    reach_error();
    return 0;
}
