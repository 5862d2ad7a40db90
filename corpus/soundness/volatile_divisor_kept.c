// property: div-by-zero
// verdict: true
// cause: a divisor that was checked after it was read
volatile int rate = 9;
int main(void) {
    int r = rate;
    if (r != 0)
        return 100 / r;
    return 0;
}
