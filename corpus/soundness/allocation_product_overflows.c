// property: valid-deref
// verdict: false
// cause: the product of calloc wraps around
extern void *calloc(unsigned long, unsigned long);
int main(void) {
    unsigned long n = 0x4000000000000001u;
    int *p = calloc(n, 4);
    *p = 0;
    return 0;
}
