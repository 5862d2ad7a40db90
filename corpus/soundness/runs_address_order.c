// property: unreach-call
// verdict: false
// allowed: unknown
// cause: nothing says which of two objects has the larger address
extern void reach_error(void);
int first, second;
int main(void) {
    if ((unsigned long)&second <= (unsigned long)&first)
        reach_error();
    if ((unsigned long)&second > (unsigned long)&first)
        reach_error();
    return 0;
}
