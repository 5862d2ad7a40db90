// property: unreach-call
// verdict: false
// inputs:
// note: the inner x is another variable, also in the for statement's header
extern void reach_error(void);

int x = 1;

int main(void) {
    int x = 2;
    for (int x = 0; x < 5; x++) {
        int x = 7;
        x++;
    }
    {
        extern int x;
        if (x != 1) return 0;
    }
    if (x == 2) reach_error();
    return 0;
}
