// property: unreach-call
// verdict: false
// inputs: 0
// note: AGAIN has the same value as IDLE
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum state { IDLE, BUSY = 5, FAILED = -1, AGAIN };

int main(void) {
    enum state s = __VERIFIER_nondet_int();
    if (s == IDLE && s == AGAIN) reach_error();
    return 0;
}
