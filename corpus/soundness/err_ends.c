// property: unreach-call
// verdict: true
// inputs:
// cause: err does not come back
extern void reach_error(void);
extern void err(int, const char *, ...);
int main(void) {
    err(1, "the end");
    reach_error();
    return 0;
}
