// property: unreach-call
// verdict: false
// inputs:
// note: the callee keeps the static that its result is put into; found by the fuzzer
extern void reach_error(void);

int g = 2;
int h;

int next(void) {
    int v = g;
    return v + 5;
}

int step(void) {
    g = next();
    return 4;
}

int main(void) {
    int v = step();
    for (int i = 0; i < 1 && g != h; i++) {
    }
    if (v == 4) {
        reach_error();
    }
    return 0;
}
