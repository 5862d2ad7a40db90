// property: unreach-call
// verdict: false
// inputs:
// cause: the program has its own exit that returns
extern void reach_error(void);
static int code;
static void exit(int with) { code = with; }
int main(void) {
    exit(1);
    if (code)
        reach_error();
    return 0;
}
