// property: unreach-call
// verdict: true
// note: labels as values (GNU C)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    static const void *const table[] = {&&zero, &&other};
    int x = __VERIFIER_nondet_int();
    goto *table[x != 0];
zero:
    if (x != 0) reach_error();
    return 0;
other:
    if (x == 0) reach_error();
    return 0;
}
