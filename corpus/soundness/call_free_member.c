// property: valid-free
// verdict: false
// inputs:
// cause: a library function in a member of a record is the library function
extern void *malloc(unsigned long);
extern void free(void *);
struct operations {
    int kind;
    void (*release)(void *);
};
static const struct operations operations = { 1, free };
int main(void) {
    char *block = malloc(3);
    operations.release(block);
    free(block);
    return 0;
}
