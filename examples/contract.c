// Functions with contracts in ACSL, the specification language of Frama-C.
//
//   lakatos verify examples/contract.c
//
// should answer: proved. Lakatos keeps the annotations with the functions and loops they belong
// to; today they are read and kept, later versions check them and infer missing ones.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/*@ requires low <= high;
    assigns \nothing;
    ensures low <= \result <= high;
    ensures low <= x <= high ==> \result == x;
*/
int clamp(int x, int low, int high) {
    if (x < low) return low;
    if (x > high) return high;
    return x;
}

/*@ requires 0 <= n <= 1000;
    assigns \nothing;
    ensures 2 * \result == n * (n + 1);
*/
int triangular(int n) {
    int sum = 0;
    /*@ loop invariant 0 <= i <= n;
        loop invariant 2 * sum == i * (i + 1);
        loop assigns i, sum;
        loop variant n - i;
    */
    for (int i = 0; i < n;) {
        i++;
        sum += i;
    }
    return sum;
}

int main(void) {
    int n = clamp(__VERIFIER_nondet_int(), 0, 1000);
    //@ assert 0 <= n <= 1000;
    if (triangular(n) < n) reach_error();
    return 0;
}
