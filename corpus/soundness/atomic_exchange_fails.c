// property: unreach-call
// verdict: false
// inputs: 3
// cause: a failed exchange changes the expected value
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = 7, expected = __VERIFIER_nondet_int(), before = expected;
    _Bool done = __atomic_compare_exchange_n(&x, &expected, 9, 0, 5, 5);
    if (done != (before == 7) || expected == 7 || x != (done ? 9 : 7))
        reach_error();
    if (__sync_val_compare_and_swap(&x, 9, 1) != (done ? 9 : 7) || x != (done ? 1 : 7))
        reach_error();
    if (__atomic_exchange_n(&x, 5, 5) != (done ? 1 : 7) || x != 5)
        reach_error();
    if (__atomic_nand_fetch(&x, 3, 5) != ~1 || __sync_fetch_and_or(&x, 1) != ~1 || x != -1)
        reach_error();
    return 0;
}
