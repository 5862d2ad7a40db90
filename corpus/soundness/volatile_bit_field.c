// property: unreach-call
// verdict: true
// cause: a bit-field gives no more than its bits
extern void reach_error(void);
struct flags {
    unsigned mode : 3, on : 1;
};
volatile struct flags control;
int main(void) {
    if (control.mode > 7 || control.on > 1)
        reach_error();
    return 0;
}
