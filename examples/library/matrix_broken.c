// Like matrix.c, but broken: mixes up rows and columns, which nobody sees in a square.
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *memory);
extern void abort(void);
extern void reach_error(void);

static void __VERIFIER_assert(int holds) {
    if (!holds)
        reach_error();
}

struct matrix {
    unsigned rows, columns;
    int *cells;
};

static struct matrix make(unsigned rows, unsigned columns) {
    struct matrix m = {rows, columns, malloc(sizeof(int) * rows * columns)};
    if (!m.cells)
        abort();
    return m;
}

static int *cell(struct matrix m, unsigned row, unsigned column) {
    return &m.cells[row * m.columns + column];
}

static struct matrix transposed(struct matrix m) {
    struct matrix result = make(m.columns, m.rows);
    for (unsigned row = 0; row < m.rows; row++)
        for (unsigned column = 0; column < m.columns; column++)
            result.cells[column * m.columns + row] = m.cells[row * m.columns + column];
    return result;
}

int main(void) {
    unsigned rows = __VERIFIER_nondet_uint(), columns = __VERIFIER_nondet_uint();
    if (rows == 0 || rows > 5 || columns == 0 || columns > 5)
        return 0;
    struct matrix m = make(rows, columns);
    for (unsigned i = 0; i < rows * columns; i++)
        m.cells[i] = __VERIFIER_nondet_int();
    struct matrix t = transposed(m);
    __VERIFIER_assert(*cell(m, rows - 1, 0) == *cell(t, 0, rows - 1));
    free(m.cells);
    free(t.cells);
    return 0;
}
