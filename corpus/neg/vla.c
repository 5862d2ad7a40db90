// property: unreach-call
// verdict: false
// inputs: 3,4
// note: a variable-length array of two dimensions as a parameter
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int trace(int rows, int columns, int m[rows][columns]) {
    int sum = 0;
    for (int i = 0; i < rows && i < columns; i++) sum += m[i][i];
    return sum;
}

int main(void) {
    int rows = __VERIFIER_nondet_int();
    int columns = __VERIFIER_nondet_int();
    if (rows < 1 || rows > 5 || columns < 1 || columns > 5) return 0;
    int m[rows][columns];
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) m[i][j] = i * columns + j;
    if (trace(rows, columns, m) == 15) reach_error();
    return 0;
}
