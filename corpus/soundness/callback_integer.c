// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// externals: void start(unsigned long at) { ((void (*)(void))at)(); }
// cause: the address of an error function escapes as an integer
extern void reach_error(void);
extern void start(unsigned long);
int main(void) {
    start((unsigned long)reach_error);
    return 0;
}
