// property: unreach-call
// verdict: false
// inputs: 5
// note: a failing assert is an error
extern int __VERIFIER_nondet_int(void);
extern void assert(int condition);

int main(void) {
    int x = __VERIFIER_nondet_int();
    assert(x != 5);
    return 0;
}
