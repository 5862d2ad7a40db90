// property: no-overflow
// verdict: false
// cause: arithmetic with what a register gives
volatile int offset = 1;
int main(void) {
    return offset + 1 > 0;
}
