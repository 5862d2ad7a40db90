// property: unreach-call
// verdict: false
// inputs: 0, 0
// note: an error whatever the sums of two arrays, 1000 elements, are (after Listing 11 of the lemma thesis)
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern short __VERIFIER_nondet_short(void);

int main(void)
{
    int size = 1000;
    int first[1000];
    int second[1000];
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
    if (sum != 0)
        reach_error();
    else
        reach_error();
    return 0;
}
