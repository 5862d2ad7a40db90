// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// externals: extern unsigned flags; struct device { int id; unsigned *status; } device = { 1, &flags };
// cause: a member of an external record points to a variable of the program
extern void reach_error(void);
struct device { int id; unsigned *status; };
extern struct device device;
unsigned flags = 0;
int main(void) {
    flags = 0;
    *device.status |= 4;
    if (flags & 4)
        reach_error();
    return 0;
}
