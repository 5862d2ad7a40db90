// property: use-after-free
// verdict: false
// inputs:
// cause: a function returns the address of a library function
extern void *malloc(unsigned long);
extern void free(void *);
static void (*chosen(int which))(void *) {
    return which ? free : 0;
}
int main(void) {
    long *block = malloc(sizeof *block);
    *block = 4;
    chosen(1)(block);
    return (int)*block;
}
