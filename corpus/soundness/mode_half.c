// property: unreach-call
// verdict: true
// inputs:
// cause: an integer of mode HI is truncated
extern void reach_error(void);
typedef int __attribute__((mode(HI))) half;
int main(void) {
    half h = 70000;
    if (h != 4464 || sizeof h != 2)
        reach_error();
    return 0;
}
