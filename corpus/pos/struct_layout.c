// property: unreach-call
// verdict: true
// note: sizes and offsets in LP64
extern void reach_error(void);

struct inner {
    char tag;
    long value;
};

struct outer {
    char c;
    struct inner in[2];
    short s;
};

int main(void) {
    struct outer o;
    if (sizeof(struct inner) != 16) reach_error();
    if (sizeof(struct outer) != 48) reach_error();
    if ((char *)&o.in[1].value - (char *)&o != 32) reach_error();
    if (__builtin_offsetof(struct outer, s) != 40) reach_error();
    return 0;
}
