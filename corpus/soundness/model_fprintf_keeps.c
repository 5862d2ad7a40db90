// property: unreach-call
// verdict: true
// inputs: 0; 1
// cause: fprintf changes nothing of the program
struct file;
extern struct file *stderr;
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern int fprintf(struct file *, const char *, ...);
static int count;
int main(void) {
    int x = __VERIFIER_nondet_int() & 1;
    if (fprintf(stderr, "%d\n", x) < 0)
        count++;
    if (count > 1 || x > 1)
        reach_error();
    return 0;
}
