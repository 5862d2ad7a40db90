// property: unreach-call
// verdict: true
// inputs: 0; 1; 5
// cause: cleanups run backwards at the end of the scope, after the value of `return` is known
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int trail;
static void note(int *p) { trail = trail * 10 + *p; *p = 0; }

static int early(int x) {
    __attribute__((cleanup(note))) int a = 1;
    if (x) {
        __attribute__((cleanup(note))) int b = 2;
        if (x > 3)
            return a + b;
    }
    __attribute__((cleanup(note))) int c = 3;
    return a;
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int result = early(x);
    if (x > 3 && (trail != 21 || result != 3))
        reach_error();
    if (x == 0 && (trail != 31 || result != 1))
        reach_error();
    if (x && x <= 3 && (trail != 231 || result != 1))
        reach_error();
    return 0;
}
