// property: valid-deref
// verdict: false
// inputs:
// cause: an address that was a number for a while does not keep its object alive
int main(void) {
    int *object = __builtin_malloc(sizeof *object);
    unsigned long number = (unsigned long)object;
    __builtin_free(object);
    *(int *)number = 1;
    return 0;
}
