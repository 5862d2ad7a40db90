// property: valid-memtrack
// verdict: true
// inputs:
// cause: the program has its own allocation from an array
static char pool[64];
static unsigned used;
static void *malloc(unsigned long size) {
    void *result = pool + used;
    used += size;
    return result;
}
int main(void) {
    char *a = malloc(8);
    a[7] = 1;
    return 0;
}
