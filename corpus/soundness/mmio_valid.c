// property: valid-deref
// verdict: true
// args: --mmio 0x40000000:0x1000
// cause: registers within the range, through a structure and an array
struct uart {
    volatile unsigned data, status;
    volatile unsigned char fifo[8];
};
int main(void) {
    struct uart *port = (struct uart *)0x40000010;
    ((struct uart *)0x40000010)->data = 5;
    while (((struct uart *)0x40000010)->status & 1) {
    }
    *(volatile unsigned *)0x40000ffc = 1;
    ((volatile unsigned char *)0x40000000)[3] |= 4;
    return ((struct uart *)0x40000010)->fifo[2] + (port == 0);
}
