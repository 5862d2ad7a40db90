// property: valid-deref
// verdict: false
// inputs: 0; 1
// cause: the callee is a conditional expression of two library functions
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void *memcpy(void *, const void *, unsigned long);
extern void *memmove(void *, const void *, unsigned long);
int main(void) {
    char from[12] = "some letters";
    char to[9];
    unsigned char overlap = __VERIFIER_nondet_uchar();
    (overlap ? memmove : memcpy)(to, from, sizeof from);
    return to[0];
}
