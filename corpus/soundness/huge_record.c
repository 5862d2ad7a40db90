// property: unreach-call
// verdict: true
// oracle: gcc
// inputs:
// cause: the size of a structure in bits is more than 64 bits can count
extern void reach_error(void);
struct huge { short buffer[(1L << 62) - 256]; int last; };
union huge_union { int first; char buffer[(1L << 62) - 256]; };
int main(void) {
    if (sizeof(struct huge) != sizeof(short) * ((1L << 62) - 256) + sizeof(int))
        reach_error();
    if (sizeof(union huge_union) != (1L << 62) - 256)
        reach_error();
    return 0;
}
