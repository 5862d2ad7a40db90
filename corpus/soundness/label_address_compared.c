// property: unreach-call
// verdict: true
// inputs: 0; 1
// cause: the addresses of two labels differ, and the same label has one address
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    void *first = &&a, *again = &&a, *other = &&b;
    void *chosen = __VERIFIER_nondet_int() ? first : other;
    if (first != again || first == other)
        reach_error();
    goto *chosen;
a:
    if (chosen != first)
        reach_error();
b:
    return 0;
}
