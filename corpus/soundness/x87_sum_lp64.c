// property: unreach-call
// verdict: true
// allowed: unknown
// inputs:
// cause: a sum of floats is a float
extern void reach_error(void);
int main(void) {
    float large = 16777216.0f;
    float one = 1.0f;
    if (large + one != large)
        reach_error();
    return 0;
}
