// property: null-deref
// allowed: unknown
// verdict: true
// inputs:
// cause: a weak variable is read where it exists
extern int limit __attribute__((weak));
int main(void) {
    return &limit ? limit > 3 : 0;
}
