// property: unreach-call
// verdict: false
// inputs:
// cause: a standard stream can be assigned to
struct _IO_FILE;
extern struct _IO_FILE *stdout, *stderr;
extern void reach_error(void);
int main(void) {
    stdout = stderr;
    if (stdout == stderr)
        reach_error();
    return 0;
}
