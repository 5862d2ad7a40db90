// property: unreach-call
// verdict: false
// inputs: 13
// note: the result of a function without a body is an input
extern int sensor_value(int channel);
extern void reach_error(void);

int main(void) {
    int v = sensor_value(3);
    if (v == 13) reach_error();
    return 0;
}
