// property: use-after-free
// verdict: false
// allowed: unknown
// inputs:
// cause: the address of a function with the label of free
extern void *malloc(unsigned long);
extern void drop(void *) __asm__("free");
static void (*const last)(void *) = drop;
int main(void) {
    int *block = malloc(sizeof *block);
    *block = 0;
    last(block);
    return *block;
}
