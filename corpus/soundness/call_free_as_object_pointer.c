// property: valid-free
// verdict: false
// inputs:
// cause: the address of free in a pointer to void
extern void *malloc(unsigned long);
extern void free(void *);
int main(void) {
    void *kept = (void *)free;
    int *block = malloc(sizeof(int));
    ((void (*)(void *))kept)(block);
    ((void (*)(void *))kept)(block);
    return 0;
}
