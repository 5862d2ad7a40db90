// property: unreach-call
// verdict: true
// allowed: unknown
// inputs:
// cause: exit is declared with a wider parameter
extern void reach_error(void);
extern void exit(long);
int main(void) {
    exit(0L);
    reach_error();
    return 0;
}
