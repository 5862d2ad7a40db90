// property: unreach-call
// verdict: false
// cause: a union with a volatile member
extern void reach_error(void);
union word {
    volatile int whole;
    char bytes[4];
};
union word w;
int main(void) {
    w.whole = 0;
    if (w.whole == 77)
        reach_error();
    return 0;
}
