// property: unreach-call
// verdict: false
// allowed: unknown
// cause: a local that is not volatile and was changed since setjmp has any value after longjmp
typedef long buffer[25];
extern int _setjmp(buffer);
extern void longjmp(buffer, int);
extern void reach_error(void);

static buffer here;

int main(void) {
    int changed = 1;
    if (_setjmp(here) == 0) {
        changed = 2;
        longjmp(here, 1);
    }
    if (changed != 2) reach_error();
    return 0;
}
