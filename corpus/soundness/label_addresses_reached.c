// property: unreach-call
// verdict: false
// inputs: 4
// cause: the second of two steps through a table of labels is reached
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
    if (run(code) == 7)
        reach_error();
    return 0;
}
