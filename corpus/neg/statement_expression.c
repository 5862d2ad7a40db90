// property: unreach-call
// verdict: false
// inputs: 3
// note: leaving a statement expression by goto
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int x = 0;
    x = 10 + ({
        if (n == 3) goto out;
        n;
    });
out:
    if (x == 0) reach_error();
    return 0;
}
