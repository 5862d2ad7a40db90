// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// cause: the handler is the error function itself
extern void reach_error(void);
extern int atexit(void (*)(void));
int main(void) {
    return atexit(reach_error);
}
