// property: unreach-call
// verdict: true
// note: enumerators count on from explicit values and are of type int
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum state { IDLE, BUSY = 5, WAITING, FAILED = -1, AGAIN };

enum state next(enum state s) {
    switch (s) {
    case IDLE: return BUSY;
    case BUSY: return WAITING;
    case WAITING: return IDLE;
    default: return FAILED;
    }
}

int main(void) {
    if (WAITING != 6 || AGAIN != 0 || sizeof(BUSY) != sizeof(int)) reach_error();
    enum state s = IDLE;
    for (int i = __VERIFIER_nondet_int() & 63; i > 0; i--) s = next(s);
    if (s == FAILED) reach_error();
    return 0;
}
