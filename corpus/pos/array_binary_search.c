// property: array-bounds
// verdict: true
// note: 0 <= low, high <= 16 and low < high keep the middle inside
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[16];
    for (int i = 0; i < 16; i++) a[i] = 3 * i;
    int key = __VERIFIER_nondet_int();
    int low = 0, high = 16;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (a[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
