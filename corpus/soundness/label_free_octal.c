// property: valid-free
// verdict: false
// allowed: unknown
// inputs:
// cause: an asm label names free, with an octal escape
extern void *malloc(unsigned long);
extern void drop(void *) __asm__("fr\145e");
int main(void) {
    short *block = malloc(2);
    drop(block);
    drop(block);
    return 0;
}
