// property: unreach-call
// verdict: true
// note: the safe variant of the alternating branches
extern void reach_error(void);

int main(void) {
    int i = 0, j = 0, x = 0, y = 0, b = 0;
    while (i < 20 || x < 20) {
        if (b) {
            x++;
            y++;
        } else {
            i++;
            j++;
        }
        b = !b;
    }
    if (!(j >= 20 && y >= 20)) reach_error();
    return 0;
}
