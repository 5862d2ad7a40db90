// property: unreach-call
// verdict: true
// allowed: unknown
// inputs:
// cause: the callee is a comma expression
extern void reach_error(void);
extern void *memset(void *, int, unsigned long);
int main(void) {
    unsigned char bytes[4] = { 9, 9, 9, 9 };
    int asked = 0;
    (asked++, memset)(bytes, 3, 2);
    if (asked != 1 || bytes[1] != 3 || bytes[2] != 9)
        reach_error();
    return 0;
}
