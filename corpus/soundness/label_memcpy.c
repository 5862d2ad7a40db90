// property: valid-deref
// verdict: false
// allowed: unknown
// inputs:
// cause: an asm label names memcpy
extern void *copy(void *, const void *, unsigned long) __asm__("memcpy");
int main(void) {
    char from[9] = "12345678";
    char to[8];
    copy(to, from, sizeof from);
    return to[7] - '8';
}
