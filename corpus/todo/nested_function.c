// property: unreach-call
// verdict: true
// note: a function inside a function sees its variables (GNU C)
extern void reach_error(void);

int main(void) {
    int total = 0;
    void add(int x) { total += x; }
    add(3);
    add(4);
    if (total != 7) reach_error();
    return 0;
}
