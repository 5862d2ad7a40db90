// property: array-bounds
// verdict: true
// note: `mode(DF)` makes a `float` a `double`: eight bytes
typedef float wide __attribute__((__mode__(__DF__)));
union view { wide number; unsigned char bytes[sizeof(wide)]; };

int main(void) {
    union view v;
    v.number = 0;
    v.bytes[7] = 1;
    return v.bytes[7] - 1;
}
