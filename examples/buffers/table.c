// A length that is computed by nested loops, too large by one.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum { SIZE = 512 };

static void within(int i) {
    if (i < 0 || i >= SIZE)
        reach_error();
}

int main(void) {
    int length = 0, i = 0;
    for (int row = 0; row < SIZE / 5; row++)
        for (int column = 0; column < 5; column++)
            length++;
    while (i <= length + SIZE % 5) {
        within(i);
        i++;
    }
    return 0;
}
