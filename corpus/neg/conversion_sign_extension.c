// property: unreach-call
// verdict: false
// inputs: 200
// note: plain char is signed: 200 becomes -56, and then a large unsigned number
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    char c = (char)__VERIFIER_nondet_int();
    unsigned u = c;
    if (u == 4294967240u) reach_error();
    return 0;
}
