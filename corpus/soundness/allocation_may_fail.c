// property: valid-deref
// verdict: false
// args: --malloc may-fail
// cause: with the option, a small request fails
extern void *malloc(unsigned long);

int main(void) {
    int *p = malloc(4);
    *p = 1;
    return 0;
}
