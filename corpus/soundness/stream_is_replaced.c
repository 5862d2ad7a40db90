// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// externals: extern struct _IO_FILE *stdout; void other(void) { stdout = 0; }
// cause: a function of another file may assign to a standard stream
struct _IO_FILE;
extern struct _IO_FILE *stdout;
extern void reach_error(void);
extern void other(void);
int main(void) {
    struct _IO_FILE *before = stdout;
    other();
    if (stdout != before)
        reach_error();
    return 0;
}
