// property: unreach-call
// verdict: false
// cause: the index of an array is a register
extern void reach_error(void);
volatile unsigned char select;
int table[256] = {0, 1};
int main(void) {
    if (table[select] == 1 && table[select] == 0)
        reach_error();
    return 0;
}
