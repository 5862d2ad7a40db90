// property: unreach-call
// verdict: false
// inputs:
// cause: of two active calls of setjmp the buffer says which one is meant
typedef long buffer[25];
extern int _setjmp(buffer);
extern void longjmp(buffer, int);
extern void reach_error(void);

static buffer outer, inner;
static int seen;

static void middle(void) {
    if (_setjmp(inner)) seen = 1;
    else longjmp(outer, 5);
}

int main(void) {
    int value = _setjmp(outer);
    if (value == 0) middle();
    if (seen == 0 && value == 5) reach_error();
    return 0;
}
