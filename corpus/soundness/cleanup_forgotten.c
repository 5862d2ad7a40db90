// property: unreach-call
// verdict: false
// inputs:
// cause: a cleanup runs at the end of the block
extern void reach_error(void);
static void leave(int *p) {
    if (*p == 1)
        reach_error();
}
int main(void) {
    {
        int own __attribute__((cleanup(leave))) = 0;
        own++;
    }
    return 0;
}
