// property: unreach-call
// verdict: false
// allowed: unknown
// inputs: 17
// cause: an asm label names the error function, with an escape
extern int __VERIFIER_nondet_int(void);
extern void note(int) __asm__("reach\x5f" "error");
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x % 10 == 7)
        note(x);
    return 0;
}
