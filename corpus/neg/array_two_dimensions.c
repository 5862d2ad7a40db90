// property: array-bounds
// verdict: false
// inputs: 1,4
// note: the row is fine and the element lies inside the matrix, but not inside its row
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int m[3][4] = {{0}};
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    if (i < 0 || i >= 3 || j < 0 || j > 4) return 0;
    m[i][j] = 1;
    return 0;
}
