// property: valid-deref
// verdict: true
// cause: by default a small request succeeds
extern void *malloc(unsigned long);

int main(void) {
    int *p = malloc(4);
    *p = 1;
    return 0;
}
