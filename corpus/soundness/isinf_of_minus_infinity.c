// property: unreach-call
// verdict: true
// inputs:
// oracle: gcc
// cause: the built-in function gives 1 for either infinity, the function of glibc -1 for one
extern void reach_error(void);
int main(void) {
    volatile double number = -__builtin_inf();
    if (__builtin_isinf(number) != 1 || __builtin_isinf_sign(number) != -1)
        reach_error();
    return 0;
}
