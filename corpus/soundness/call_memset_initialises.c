// property: uninitialised-read
// verdict: true
// inputs:
// cause: memset through a pointer initialises a block
extern void *malloc(unsigned long);
extern void free(void *);
extern void *memset(void *, int, unsigned long);
int main(void) {
    void *(*fill)(void *, int, unsigned long) = memset;
    unsigned *block = malloc(sizeof *block);
    if (!block)
        return 0;
    fill(block, 0, sizeof *block);
    int result = *block == 0;
    free(block);
    return result;
}
