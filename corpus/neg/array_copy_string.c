// property: array-bounds
// verdict: false
// inputs: 1,1,1,1
// note: copying without a limit (loops paper, figure 22)
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char src[8] = {0};
    char dest[4];
    for (int i = 0; i < 7; i++) src[i] = __VERIFIER_nondet_char();
    int i = 0;
    do {
        dest[i] = src[i];
    } while (src[i++] != 0);
    return 0;
}
