// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// externals: extern void (*hook)(void); void tick(void) { hook(); }
// cause: an external function calls through a global variable of the program
extern void reach_error(void);
void (*hook)(void) = 0;
extern void tick(void);
int main(void) {
    hook = reach_error;
    tick();
    return 0;
}
