// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// externals: void each(void (*f)(void *), void *data) { f(data); f(data); }
// cause: an external function calls a function of the program that changes a variable
extern void reach_error(void);
static int calls;
static void count(void *data) { (void)data; calls++; }
extern void each(void (*)(void *), void *);
int main(void) {
    each(count, 0);
    if (calls == 2)
        reach_error();
    return 0;
}
