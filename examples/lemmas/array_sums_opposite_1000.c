// property: unreach-call
// verdict: true
// note: two arrays, 1000 elements, whose elements cancel out one by one (after Listing 8 of the lemma thesis)
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
    count = 1;
    while (1) {
        index = __VERIFIER_nondet_short();
        if (!(index >= 0 && index < size)) return 0;
        if (index % 2 == 0) {
            first[index] = minus * (minus * count);
            second[index] = minus * count;
        } else {
            first[index] = minus * count;
            second[index] = minus * (minus * count);
        }
        if (count == 200) count = 0;
        count++;
        if (__VERIFIER_nondet_int() == 0) break;
    }
    for (count = 0; count < size; count++)
        sum = sum + first[count] + second[count];
    if (sum != 0)
        reach_error();
    return 0;
}
