// Two counters that move together.
//
//   lakatos verify examples/loop.c
//
// should answer: proved, with the loop invariant x + y == n && x >= 0 (or an equivalent one).
// A proof by unrolling would need one step for every n.
//
//   lakatos cfa examples/loop.c -o loop.svg
//
// draws the loop.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0) return 0;
    int x = n, y = 0;
    while (x > 0) {
        x--;
        y++;
    }
    if (y != n) reach_error();
    return 0;
}
