// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// externals: int cell;
// cause: two external variables have one label
extern void reach_error(void);
extern int left __asm__("cell");
extern int right __asm__("cell");
int main(void) {
    left = 1;
    right = 2;
    if (left == 2)
        reach_error();
    return 0;
}
