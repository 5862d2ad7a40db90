// property: unreach-call
// verdict: true
// inputs: 0; 1; 3
// cause: cleanups run where a jump, `break` or `continue` leaves the scope
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int left;
static void leave(int *p) { left += *p; }

int main(void) {
    int n = __VERIFIER_nondet_int() & 3;
    for (int i = 0; i < 4; i++) {
        int own __attribute__((cleanup(leave))) = 1;
        if (i == n)
            continue;
        if (i == 3)
            break;
    }
    if (left != 4)
        reach_error();
again:;
    int late __attribute__((cleanup(leave))) = 10;
    if (left < 30)
        goto again;
    if (left != 34)
        reach_error();
    return 0;
}
