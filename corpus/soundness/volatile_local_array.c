// property: unreach-call
// verdict: true
// cause: an automatic volatile array, filled and read
extern void reach_error(void);
int main(void) {
    volatile char buffer[4];
    for (int i = 0; i < 4; i++)
        buffer[i] = (char)(i + 1);
    if (buffer[0] + buffer[3] != 5)
        reach_error();
    return 0;
}
