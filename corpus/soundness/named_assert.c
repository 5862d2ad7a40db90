// property: unreach-call
// verdict: true
// inputs:
// cause: a function of the program has the name of an internal one of assert
extern void reach_error(void);
static int failures;
void __assert(const char *text, int line) { (void)text; failures += line; }
int main(void) {
    __assert("x", 3);
    if (failures != 3)
        reach_error();
    return 0;
}
