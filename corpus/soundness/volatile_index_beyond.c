// property: valid-deref
// verdict: false
// cause: the access of a volatile element is checked
volatile int fifo[2];
int main(void) {
    int i = 2;
    fifo[i];
    return 0;
}
