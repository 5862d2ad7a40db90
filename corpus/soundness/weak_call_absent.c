// property: null-deref
// verdict: false
// allowed: unknown
// inputs:
// cause: a weak function is called without a look
extern int extra(int) __attribute__((weak));
int main(void) {
    return extra(1);
}
