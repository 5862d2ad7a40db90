// property: unreach-call
// verdict: false
// inputs:
// note: the callee keeps the static that its result is put into; found by the fuzzer
extern void reach_error(void);

int g = 2;

int next(void) {
    int v = g;
    return v + 5;
}

int main(void) {
    g = next();
    if (g == 7) {
        reach_error();
    }
    return 0;
}
