// property: unreach-call
// verdict: true
// note: a loop made of gotos, with two ways back to its head
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = 0, y = 0;
again:
    if (x >= 100) goto done;
    if (__VERIFIER_nondet_int()) {
        x += 1;
        y += 2;
        goto again;
    }
    x += 2;
    y += 4;
    goto again;
done:
    if (y != 2 * x) reach_error();
    return 0;
}
