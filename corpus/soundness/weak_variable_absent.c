// property: null-deref
// verdict: false
// allowed: unknown
// inputs:
// cause: a weak variable need not exist
extern int limit __attribute__((weak));
int main(void) {
    return limit > 3;
}
