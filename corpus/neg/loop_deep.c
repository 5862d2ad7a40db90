// property: unreach-call
// verdict: false
// inputs: 100000
// note: fails after 65537 iterations when the counter wraps
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    unsigned short seen = 0;
    for (int i = 0; i < n; i++) {
        seen++;
        if (seen == 0) reach_error();
    }
    return 0;
}
