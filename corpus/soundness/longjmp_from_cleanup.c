// property: unreach-call
// verdict: false
// inputs:
// cause: a function that is called where a scope ends leaves by longjmp
typedef long buffer[25];
extern int _setjmp(buffer);
extern void longjmp(buffer, int);
extern void reach_error(void);

static buffer here;

static void leave(int *variable) { longjmp(here, *variable); }

static int enter(void) {
    int variable __attribute__((cleanup(leave))) = 7;
    return variable;
}

int main(void) {
    if (_setjmp(here)) reach_error();
    return enter();
}
