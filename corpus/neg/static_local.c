// property: unreach-call
// verdict: false
// inputs: 5
// note: a static local keeps its value between calls, also recursive ones
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int tick(int n) {
    static int count = 10;
    count++;
    if (n > 0) tick(n - 1);
    return count;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100) return 0;
    if (tick(n) == 16) reach_error();
    return 0;
}
