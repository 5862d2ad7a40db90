// property: unreach-call
// verdict: true
// note: a function without a body changes no variable whose address it is not given
extern void log_value(int v);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int global = 3;

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = x;
    log_value(x);
    if (x != y || global != 3) reach_error();
    return 0;
}
