// property: valid-deref
// verdict: true
// inputs: 0; 2
// cause: and what it gives is there
extern int __VERIFIER_nondet_int(void);
struct numbers { int n; int d[]; };
static struct numbers numbers = {3, {1, 2, 3}};
int main(void) {
    int i = __VERIFIER_nondet_int();
    return i < 0 || i > 2 ? 0 : numbers.d[i];
}
