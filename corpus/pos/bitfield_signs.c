// property: unreach-call
// verdict: true
// note: signed fields sign-extend, neighbours are untouched, a zero width starts a new unit
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct fields {
    signed int a : 4;
    unsigned int b : 4;
    signed int flag : 1;
    unsigned int : 0;
    unsigned int c : 7;
};

int main(void) {
    int x = __VERIFIER_nondet_int();
    struct fields f = {.b = 5, .c = 100};
    f.a = x;
    f.flag = 1;
    if (f.a < -8 || f.a > 7) reach_error();
    if ((((unsigned)f.a - (unsigned)x) & 15) != 0) reach_error();
    if (f.b != 5 || f.c != 100) reach_error();
    if (f.flag != -1) reach_error();
    if (sizeof(struct fields) != 8) reach_error();
    return 0;
}
