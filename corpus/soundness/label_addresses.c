// property: unreach-call
// verdict: true
// allowed: unknown
// inputs: 0; 1; 2; 7
// cause: a jump to a label whose address is in a table
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int run(const unsigned char *code) {
    static const void *const step[] = {&&push, &&add, &&halt};
    int stack[4], top = 0;
    goto *step[*code++];
push:
    stack[top++] = *code++;
    goto *step[*code++];
add:
    top--;
    stack[top - 1] += stack[top];
    goto *step[*code++];
halt:
    return stack[0];
}

int main(void) {
    unsigned char n = __VERIFIER_nondet_int() & 7;
    unsigned char code[] = {0, 3, 0, n, 1, 2};
    if (run(code) != n + 3)
        reach_error();
    return 0;
}
