// property: unreach-call
// verdict: true
// cause: a value that was read stays what it is
extern void reach_error(void);
volatile int sensor;
int main(void) {
    int now = sensor;
    if (now > 10 && now < 10)
        reach_error();
    return 0;
}
