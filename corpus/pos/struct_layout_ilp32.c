// property: unreach-call
// verdict: true
// data-model: ilp32
// note: the same structs in ILP32; long long is aligned to 4 bytes inside a struct
extern void reach_error(void);

struct inner {
    char tag;
    long value;
};

struct outer {
    char c;
    struct inner in[2];
    short s;
    long long wide;
};

int main(void) {
    struct outer o;
    if (sizeof(struct inner) != 8) reach_error();
    if (sizeof(struct outer) != 32) reach_error();
    if ((char *)&o.in[1].value - (char *)&o != 16) reach_error();
    if (__builtin_offsetof(struct outer, wide) != 24) reach_error();
    if (sizeof(void *) != 4 || sizeof(long) != 4) reach_error();
    return 0;
}
