// property: unreach-call
// verdict: false
// inputs:
// cause: errx ends the program as exit does, and what atexit was given runs
extern void reach_error(void);
extern int atexit(void (*)(void));
extern void errx(int, const char *, ...);
static void at_end(void) { reach_error(); }
int main(void) {
    atexit(at_end);
    errx(1, "%d", 3);
    return 0;
}
