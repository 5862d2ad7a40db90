// property: unreach-call
// verdict: false
// inputs: 9
// note: a three-bit field keeps the value modulo 8
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

struct packet {
    unsigned kind : 3;
    unsigned size : 5;
    unsigned char payload;
};

int main(void) {
    struct packet p = {0};
    p.size = 17;
    p.kind = __VERIFIER_nondet_uint();
    if (p.kind == 1 && p.size == 17) reach_error();
    return 0;
}
