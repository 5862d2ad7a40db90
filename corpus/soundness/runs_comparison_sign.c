// property: unreach-call
// verdict: false
// allowed: unknown
// cause: memcmp gives any negative number, not always -1
typedef unsigned long size_t;
extern void reach_error(void);
extern int memcmp(const void *, const void *, size_t);
int main(void) {
    if (memcmp("aa", "ac", 2) != -1)
        reach_error();
    return 0;
}
