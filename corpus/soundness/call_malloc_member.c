// property: valid-memtrack
// verdict: false
// cause: allocation through a member of a record
extern void *malloc(unsigned long);
struct memory {
    void *(*get)(unsigned long);
};
static int sum(const struct memory *memory) {
    int *cell = memory->get(sizeof *cell);
    *cell = 5;
    return *cell;
}
int main(void) {
    struct memory memory = { malloc };
    return sum(&memory) - 5;
}
