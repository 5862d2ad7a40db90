// property: unreach-call
// verdict: true
// inputs: 2; 5
// cause: longjmp through a recursion ends all of its calls, and stores nothing for them
typedef long buffer[25];
extern int _setjmp(buffer);
extern void longjmp(buffer, int);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static buffer start;
static int depth;

static int parse(int n) {
    depth++;
    if (n > 3) longjmp(start, 7);
    return n == 0 ? 0 : 1 + parse(n - 1);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    volatile int length = -1;
    if (n < 0 || n > 100) return 0;
    if (_setjmp(start) == 0)
        length = parse(n);
    else if (length != -1 || depth != 1 || n <= 3)
        reach_error();
    if (n <= 3 && length != n) reach_error();
    return 0;
}
