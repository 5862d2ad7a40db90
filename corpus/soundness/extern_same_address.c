// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// externals: long first; extern long second __attribute__((alias("first")));
// oracle: gcc
// cause: the addresses of two external variables are equal
extern void reach_error(void);
extern long first, second;
int main(void) {
    if (&first == &second)
        reach_error();
    return 0;
}
