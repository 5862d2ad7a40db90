// Reads a string into a buffer, as much of it as fits.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum { SIZE = 512 };

static void within(int i) {
    if (i < 0 || i >= SIZE)
        reach_error();
}

int main(void) {
    int i = 0;
    while (i < SIZE) {
        int c = __VERIFIER_nondet_int();
        within(i); /* buffer[i] = c; */
        i++;
        if (c == 0)
            break;
    }
    return 0;
}
