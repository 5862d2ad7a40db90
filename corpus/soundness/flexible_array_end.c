// property: valid-deref
// verdict: false
// inputs: 0; 3
// cause: the initialiser of a flexible array says where the object ends
extern int __VERIFIER_nondet_int(void);
struct numbers { int n; int d[]; };
static struct numbers numbers = {3, {1, 2, 3}};
int main(void) {
    int i = __VERIFIER_nondet_int();
    return i < 0 || i > 3 ? 0 : numbers.d[i];
}
