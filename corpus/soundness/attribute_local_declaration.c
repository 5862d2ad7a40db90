// property: unreach-call
// verdict: false
// inputs:
// note: attributes before a declaration in a block belong to it
extern void reach_error(void);

int main(void) {
    __attribute__((mode(QI))) unsigned n = 255;
    n++;
    if (n == 0) reach_error();
    return 0;
}
