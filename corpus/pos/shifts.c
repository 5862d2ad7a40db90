// property: unreach-call
// verdict: true
// note: logical shift of unsigned, arithmetic shift of signed numbers
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint() & 31;
    unsigned u = __VERIFIER_nondet_uint();
    int s = __VERIFIER_nondet_int();
    if (((u >> n) << n) > u) reach_error();
    if (s < 0 && (s >> n) >= 0) reach_error();
    if ((-1 >> 5) != -1) reach_error();
    if ((4294967295u >> 31) != 1) reach_error();
    if (n < 8 && ((1u << n) & ((1u << n) - 1)) != 0) reach_error();
    return 0;
}
