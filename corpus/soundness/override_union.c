// property: unreach-call
// verdict: true
// allowed: unknown
// inputs:
// cause: the last member of a union that is named counts
extern void reach_error(void);
union number { unsigned word; unsigned char bytes[4]; };
int main(void) {
    union number n = { .bytes = { 1, 2, 3, 4 }, .word = 7 };
    if (n.word != 7)
        reach_error();
    return 0;
}
