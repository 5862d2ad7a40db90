// property: unreach-call
// verdict: false
// inputs:
// cause: destructors run behind `main`, the largest priority first
extern void reach_error(void);
extern int atexit(void (*)(void));
static int trail;
__attribute__((destructor(200))) static void third(void) { if (trail == 12) reach_error(); }
__attribute__((destructor)) static void second(void) { trail = trail * 10 + 2; }
static void handler(void) { trail = trail * 10 + 1; }
int main(void) {
    atexit(handler);
    return 0;
}
