// property: unreach-call
// verdict: false
// allowed: unknown
// data-model: ilp32
// cause: a sum of floats has more precision than float on the x87
extern void reach_error(void);
int main(void) {
    float large = 16777216.0f;
    float one = 1.0f;
    if (large + one != large)
        reach_error();
    return 0;
}
