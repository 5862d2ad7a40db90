// property: unreach-call
// verdict: false
// cause: two reads of a register in one condition
extern void reach_error(void);
volatile unsigned char status;
int main(void) {
    if (status != status)
        reach_error();
    return 0;
}
