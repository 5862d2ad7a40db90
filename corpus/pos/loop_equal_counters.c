// property: unreach-call
// verdict: true
// note: invariant i == j (loops paper, figure 14)
extern void reach_error(void);

int main(void) {
    int i = 0, j = 0;
    while (i < 10) {
        i++;
        j++;
    }
    if (j < 10) reach_error();
    return 0;
}
