// property: unreach-call
// verdict: false
// inputs:
// uninitialised: 42
// note: an uninitialised local is an input like any other
extern void reach_error(void);

int main(void) {
    int x;
    if (x == 42) reach_error();
    return 0;
}
