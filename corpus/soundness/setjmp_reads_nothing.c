// property: uninitialised-read
// verdict: true
// cause: what a function keeps of its variables over setjmp is no read of them
typedef long buffer[25];
extern int _setjmp(buffer);
extern void longjmp(buffer, int);

static buffer here;

int main(void) {
    int later;
    if (_setjmp(here)) return 0;
    later = 1;
    longjmp(here, later);
}
