// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// externals: void run_all(void (**f)(void), int n) { for (int i = 0; i < n; i++) f[i](); }
// cause: an array of functions, one of them an error function, escapes
extern void reach_error(void);
static void nothing(void) {}
static void (*table[3])(void) = { nothing, nothing, reach_error };
extern void run_all(void (**)(void), int);
int main(void) {
    run_all(table, 3);
    return 0;
}
