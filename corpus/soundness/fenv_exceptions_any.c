// property: unreach-call
// verdict: true
// inputs:
// cause: any exceptions that were asked for, and no others; arithmetic rounds to nearest
extern void reach_error(void);
extern int fetestexcept(int), feclearexcept(int), fegetround(void);
int main(void) {
    feclearexcept(61);
    if ((fetestexcept(4) & ~4) != 0 || fegetround() != 0)
        reach_error();
    return 0;
}
