// property: unreach-call
// verdict: true
// allowed: unknown
// inputs:
// externals: void die(int c) { _exit(0); } void quit(int c) { _exit(0); }
// cause: a function that does not return through a pointer without the attribute
extern void reach_error(void);
extern _Noreturn void die(int);
int main(void) {
    void (*stop)(int) = die;
    stop(0);
    reach_error();
    return 0;
}
