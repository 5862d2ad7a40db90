// property: use-after-free
// verdict: false
// inputs:
// cause: the callee is a statement expression
extern void *malloc(unsigned long);
extern void free(void *);
int main(void) {
    char *block = malloc(1);
    *block = 0;
    (({ free; }))(block);
    return *block;
}
