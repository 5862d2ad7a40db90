// property: div-by-zero
// verdict: false
// inputs:
// note: a replaced row leaves zeros behind
static int table[2][3] = { { 1, 2, 3 }, { 4, 5, 6 }, [0] = { [1] = 9 } };
int main(void) { return table[0][1] / table[0][2]; }
