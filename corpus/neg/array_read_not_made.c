// property: unreach-call
// verdict: false
// inputs: 3
// note: whether the last read of an array was at the key, where there was none; found by the fuzzer
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int g = 2;
int matrix[4][3];

int main(void) {
    int read = g < 1 && matrix[0][0] > 2;
    if (__VERIFIER_nondet_int() == 3 && !read) {
        reach_error();
    }
    return 0;
}
