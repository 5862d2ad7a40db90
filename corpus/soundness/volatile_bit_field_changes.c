// property: unreach-call
// verdict: false
// cause: a bit-field that was written
extern void reach_error(void);
struct flags {
    volatile unsigned mode : 3;
};
struct flags control;
int main(void) {
    control.mode = 2;
    if (control.mode == 5)
        reach_error();
    return 0;
}
