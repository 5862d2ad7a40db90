// property: unreach-call
// verdict: true
// inputs:
// cause: constructors run before `main`, the least priority first, those without one last
extern void reach_error(void);
static int trail = 4;
__attribute__((constructor)) static void last(void) { trail = trail * 10 + 3; }
static void second(void) __attribute__((constructor(300)));
__attribute__((constructor(200))) static void first(void) { trail = trail * 10 + 1; }
static void second(void) { trail = trail * 10 + 2; }
int main(void) {
    if (trail != 4123)
        reach_error();
    return 0;
}
