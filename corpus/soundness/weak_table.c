// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// cause: a weak function in a static table
extern void reach_error(void);
extern void first(void) __attribute__((weak));
static void second(void) {}
static void (*const steps[2])(void) = { first, second };
int main(void) {
    for (int i = 0; i < 2; i++)
        if (!steps[i])
            reach_error();
    return 0;
}
