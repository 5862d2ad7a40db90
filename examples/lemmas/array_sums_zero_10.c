// property: unreach-call
// verdict: false
// inputs: 0, 0
// note: the sums of two arrays, 10 elements, cancel out, and that is called an error (after Listing 10 of the lemma thesis)
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern short __VERIFIER_nondet_short(void);

int main(void)
{
    int size = 10;
    int first[10];
    int second[10];
    int count, minus = -1;
    short index;
    long long sum = 0;
    for (count = 0; count < size; count++) {
        first[count] = 0;
        second[count] = 0;
    }
    while (1) {
        index = __VERIFIER_nondet_short();
        if (!(index >= 0 && index < size)) return 0;
        first[index] = minus * (minus * index);
        second[size - 1 - index] = minus * index;
        if (__VERIFIER_nondet_int() == 0) break;
    }
    for (count = 0; count < size; count++)
        sum = sum + first[count] + second[count];
    if (sum == 0)
        reach_error();
    return 0;
}
