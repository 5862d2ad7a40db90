// property: unreach-call
// verdict: false
// inputs: 16909060
// note: the bytes of an int in little-endian order
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

union word {
    unsigned value;
    unsigned char bytes[4];
};

int main(void) {
    union word w;
    w.value = __VERIFIER_nondet_uint();
    if (w.bytes[0] == 4 && w.bytes[3] == 1) reach_error();
    return 0;
}
