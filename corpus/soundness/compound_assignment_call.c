// property: unreach-call
// verdict: true
// inputs:
// cause: x op= f() reads x after the call, also where f changes it
extern void reach_error(void);
static unsigned flags[1] = {2};
static struct { int narrow : 3; } fields = {1};
static unsigned set(void) { flags[0] |= 128; return 1; }
static int change(void) { fields.narrow = 2; return 1; }
int main(void) {
    flags[0] |= set();
    fields.narrow += change();
    if (flags[0] != 131 || fields.narrow != 3)
        reach_error();
    return 0;
}
