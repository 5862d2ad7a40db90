// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// oracle: gcc
// cause: an external variable is a local static variable by its label
extern void reach_error(void);
extern int seen __asm__("own_cell");
static void touch(void) {
    static int own __asm__("own_cell") = 4;
    own++;
}
int main(void) {
    touch();
    if (seen == 5)
        reach_error();
    return 0;
}
