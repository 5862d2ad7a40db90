// property: unreach-call
// verdict: false
// inputs:
// cause: the callee is a comma expression, and memory changes
extern void reach_error(void);
extern void *memset(void *, int, unsigned long);
int main(void) {
    unsigned char bytes[4] = { 9, 9, 9, 9 };
    (0, memset)(bytes, 3, 4);
    if (bytes[3] == 3)
        reach_error();
    return 0;
}
