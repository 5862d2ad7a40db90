// property: unreach-call
// verdict: true
// inputs: 0; 1
// cause: without a handler nothing changes between statements, and a signal that is ignored by default does nothing
extern void reach_error(void);
extern int raise(int);
extern int __VERIFIER_nondet_int(void);
static int flag;
static void handle(int number) { flag = number; }
int main(void) {
    if (__VERIFIER_nondet_int())
        raise(17);
    if (flag != 0)
        reach_error();
    return 0;
}
