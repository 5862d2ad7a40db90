// property: unreach-call
// verdict: false
// cause: a static local is no automatic object
extern void reach_error(void);
int main(void) {
    static volatile long counter = 5;
    if (counter != 5)
        reach_error();
    return 0;
}
