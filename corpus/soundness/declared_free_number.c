// property: valid-free
// verdict: false
// allowed: unknown
// inputs:
// cause: free gets an address as an integer twice
extern void *malloc(unsigned long);
extern void free();
int main(void) {
    unsigned long block = (unsigned long)malloc(16);
    free(block);
    free(block);
    return 0;
}
