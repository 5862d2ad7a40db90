// property: unreach-call
// verdict: true
// inputs:
// externals: int other;
// cause: an external variable is no static variable of the program
extern void reach_error(void);
static int own;
extern int other;
int main(void) {
    own = 1;
    other = 2;
    if (own != 1)
        reach_error();
    return 0;
}
