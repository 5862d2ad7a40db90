// property: unreach-call
// verdict: false
// inputs:
// cause: an unsigned integer of mode QI wraps around
extern void reach_error(void);
typedef unsigned __attribute__((mode(QI))) byte;
int main(void) {
    byte b = 250;
    b += 10;
    if (b == 4)
        reach_error();
    return 0;
}
