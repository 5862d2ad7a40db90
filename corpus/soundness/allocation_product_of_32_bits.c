// property: valid-deref
// verdict: false
// data-model: ilp32
// cause: in ILP32 PTRDIFF_MAX is 2^31 - 1
extern void *calloc(unsigned, unsigned);
int main(void) {
    char *p = calloc(0x8000, 0x10000);
    *p = 0;
    return 0;
}
