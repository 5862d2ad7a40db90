// property: unreach-call
// verdict: true
// note: error calls that are there but unreachable: after return, after abort, in dead code
extern void abort(void);
extern void reach_error(void);

int never(void) {
    reach_error();
    return 0;
}

int main(void) {
    if (0) never();
    int (*f)(void) = never;
    if (f != never) f();
    switch (1) {
        reach_error();
    case 1: break;
    }
    if (1) return 0;
    abort();
    reach_error();
}
