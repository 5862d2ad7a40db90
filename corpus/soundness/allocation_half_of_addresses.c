// property: valid-deref
// verdict: false
// cause: more than PTRDIFF_MAX bytes: the result is null
extern void *malloc(unsigned long);

int main(void) {
    char *p = malloc(0x8000000000000000u);
    p[0] = 1;
    return 0;
}
