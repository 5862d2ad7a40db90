// property: unreach-call
// verdict: true
// note: members of anonymous structs and unions are members of the outer one; designators
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct value {
    enum { NUMBER, PAIR } kind;
    union {
        int number;
        struct {
            short first, second;
        };
    };
};

int main(void) {
    struct value v = {.kind = NUMBER, .number = __VERIFIER_nondet_int()};
    struct value w = {PAIR, {.first = 1}};
    w.second = 2;
    if (v.first != (short)v.number) reach_error();
    if (w.number != 0x20001) reach_error();
    return 0;
}
