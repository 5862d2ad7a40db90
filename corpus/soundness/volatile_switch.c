// property: unreach-call
// verdict: false
// cause: a register that is switched on twice
extern void reach_error(void);
volatile int state;
int main(void) {
    int first = 0;
    switch (state) {
    case 1: first = 1; break;
    default: break;
    }
    switch (state) {
    case 1: break;
    default: if (first) reach_error();
    }
    return 0;
}
