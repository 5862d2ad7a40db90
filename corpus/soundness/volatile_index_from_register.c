// property: valid-deref
// verdict: false
// cause: an index that was checked, read again
volatile unsigned head;
char line[8];
int main(void) {
    if (head < 8)
        line[head] = 1;
    return 0;
}
