// property: div-by-zero
// verdict: false
// inputs: 4
// note: the divisor reaches zero in a callee's loop; % divides too
extern int __VERIFIER_nondet_int(void);

int residues(int n) {
    int sum = 0;
    for (int d = n; d >= 0; d--) sum += 10 % d;
    return sum;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 9) return 0;
    return residues(n);
}
