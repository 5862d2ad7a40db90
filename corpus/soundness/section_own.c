// property: unreach-call
// verdict: true
// inputs:
// cause: a section of the program without meaning at start
extern void reach_error(void);
static int value __attribute__((section(".mydata"))) = 6;
int main(void) {
    if (value != 6)
        reach_error();
    return 0;
}
