// property: unreach-call
// verdict: false
// cause: an element of an array of a volatile type
extern void reach_error(void);
typedef volatile unsigned short reg;
static reg bank[4];
int main(void) {
    bank[2] = 9;
    if (bank[2] == 8)
        reach_error();
    return 0;
}
