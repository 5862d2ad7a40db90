// property: unreach-call
// verdict: true
// inputs:
// cause: the standard streams are there, and are three
struct _IO_FILE;
extern struct _IO_FILE *stdin, *stdout, *stderr;
extern void reach_error(void);
int main(void) {
    if (!stdin || !stdout || !stderr || stdout == stderr || stdin == stdout)
        reach_error();
    return 0;
}
