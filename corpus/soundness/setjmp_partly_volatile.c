// property: unreach-call
// verdict: false
// allowed: unknown
// cause: a volatile member does not make the others of its structure volatile
typedef long buffer[25];
extern int _setjmp(buffer);
extern void longjmp(buffer, int);
extern void reach_error(void);

static buffer here;

int main(void) {
    struct { volatile int a; int b; } s = {0, 0};
    if (_setjmp(here) == 0) {
        s.b = 9;
        longjmp(here, 1);
    }
    if (s.b != 9) reach_error();
    return 0;
}
