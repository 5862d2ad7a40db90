// McCarthy's 91 function: nested recursion.
//
//   lakatos verify examples/mccarthy91.c
//
// should answer: proved. For every n up to 101 the result is 91; the proof needs a summary of
// mc91 that holds for all calls, the inner and the outer one:
//
//   ensures (n <= 101 && \result == 91) || (n > 101 && \result == n - 10)
//
//   lakatos run examples/mccarthy91.c --inputs 50
//
// executes one case.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int mc91(int n) {
    if (n > 100) return n - 10;
    return mc91(mc91(n + 11));
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int result = mc91(n);
    if (n <= 101 && result != 91) reach_error();
    return 0;
}
