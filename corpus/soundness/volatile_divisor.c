// property: div-by-zero
// verdict: false
// cause: a divisor that was just checked, read again
volatile int rate = 9;
int main(void) {
    if (rate != 0)
        return 100 / rate;
    return 0;
}
