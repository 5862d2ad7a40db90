// property: unreach-call
// verdict: false
// inputs:
// note: fails in the tenth iteration (loops paper, figure 1)
extern void reach_error(void);

int main(void) {
    int i = 0, j = 0;
    while (i < 10) {
        i++;
        j++;
        if (!(j < 10)) reach_error();
    }
    return 0;
}
