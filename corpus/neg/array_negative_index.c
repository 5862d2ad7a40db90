// property: array-bounds
// verdict: false
// inputs: -1
// note: the hash is negative for a negative key
extern int __VERIFIER_nondet_int(void);

int table[16];

int main(void) {
    int key = __VERIFIER_nondet_int();
    return table[key % 16];
}
