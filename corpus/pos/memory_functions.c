// property: unreach-call
// verdict: true
// note: memset, memcpy and memmove (overlapping) on bytes and on structs
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *memset(void *p, int c, unsigned long n);
extern void *memcpy(void *to, const void *from, unsigned long n);
extern void *memmove(void *to, const void *from, unsigned long n);
extern int memcmp(const void *a, const void *b, unsigned long n);

struct pair {
    int a, b;
};

int main(void) {
    int x = __VERIFIER_nondet_int();
    int fill;
    memset(&fill, 255, sizeof fill);
    if (fill != -1) reach_error();
    struct pair p = {x, 2}, q;
    memcpy(&q, &p, sizeof p);
    if (q.a != x || memcmp(&p, &q, sizeof p) != 0) reach_error();
    char s[6] = "12345";
    memmove(s + 1, s, 4);
    if (s[0] != '1' || s[1] != '1' || s[4] != '4') reach_error();
    return 0;
}
