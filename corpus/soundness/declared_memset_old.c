// property: valid-deref
// verdict: false
// allowed: unknown
// inputs:
// cause: memset has a declaration without prototype
extern void *memset();
int main(void) {
    int cells[2];
    memset(cells, 0, 12UL);
    return cells[0];
}
