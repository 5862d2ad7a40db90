// property: unreach-call
// verdict: true
// inputs:
// cause: no input: what bit-fields keep of a number, and their sum
extern void reach_error(void);
struct flags { int level : 4; unsigned mode : 3; unsigned char rest; };
int main(void) {
    struct flags f[3];
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        f[i].level = 7 + i;
        f[i].mode = 7 + i;
        f[i].rest = 255 + i;
        sum += f[i].level + (int)f[i].mode + f[i].rest;
    }
    if (sum != (7 - 8 - 7) + (7 + 0 + 1) + (255 + 0 + 1))
        reach_error();
    return 0;
}
