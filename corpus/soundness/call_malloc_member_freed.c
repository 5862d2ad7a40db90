// property: valid-memtrack
// verdict: true
// inputs:
// cause: allocation and release through members of a record
extern void *malloc(unsigned long);
extern void free(void *);
struct memory {
    void *(*get)(unsigned long);
    void (*put)(void *);
};
static int sum(const struct memory *memory) {
    int *cell = memory->get(sizeof *cell);
    *cell = 5;
    int result = *cell;
    memory->put(cell);
    return result;
}
int main(void) {
    struct memory memory = { malloc, free };
    return sum(&memory) - 5;
}
