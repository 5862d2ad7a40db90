// property: unreach-call
// verdict: false
// inputs: 3
// cause: a comparison of vectors gives -1, not 1
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
typedef int four __attribute__((vector_size(16)));

int main(void) {
    int x = __VERIFIER_nondet_int();
    four a = {x, 1, 2, 3}, b = {3, 2, 1, 3};
    four equal = a == b;
    if (equal[0] == -1 && equal[1] == 0 && equal[3] != 1) reach_error();
    return 0;
}
