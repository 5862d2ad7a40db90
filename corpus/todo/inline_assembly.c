// property: unreach-call
// verdict: true
// note: true on x86 only; Lakatos gives every output of an asm statement any value
extern void reach_error(void);

int main(void) {
    int x = 5, y;
    __asm__("movl %1, %0" : "=r"(y) : "r"(x));
    if (y != 5) reach_error();
    return 0;
}
