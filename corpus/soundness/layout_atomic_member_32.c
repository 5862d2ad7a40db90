// property: unreach-call
// verdict: true
// data-model: ilp32
// note: an atomic 8-byte member is aligned to 8 in the 32-bit ABI, others to 4
extern void reach_error(void);

struct plain { char c; long long n; };
struct atomic { char c; _Atomic long long n; };
struct around { char c; struct atomic inner; };

int main(void) {
    if (sizeof(struct plain) != 12 || sizeof(struct atomic) != 16) reach_error();
    if (__builtin_offsetof(struct around, inner) != 8) reach_error();
    return 0;
}
