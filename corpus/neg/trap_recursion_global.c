// property: unreach-call
// verdict: false
// inputs: 1,0
// note: popping the inner f() without forgetting g would prove it (DESIGN.md 6.1)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int g = 0;

void f(void) {
    if (__VERIFIER_nondet_int()) {
        f();
        if (g != 0) reach_error();
    }
    g = 1;
}

int main(void) {
    f();
    return 0;
}
