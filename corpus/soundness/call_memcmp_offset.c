// property: valid-deref
// verdict: false
// inputs:
// cause: memcmp through a pointer reads behind the end
extern int memcmp(const void *, const void *, unsigned long);
static int (*volatile_free_compare)(const void *, const void *, unsigned long) = memcmp;
int main(void) {
    char a[3] = "abc";
    char b[4] = "abcd";
    return volatile_free_compare(a, b, 4) == 0;
}
