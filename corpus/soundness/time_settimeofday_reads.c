// property: valid-deref
// verdict: false
// cause: clock_settime reads two longs
extern int clock_settime(int, const long *);
int main(void) {
    long seconds = 3;
    clock_settime(0, &seconds);
    return 0;
}
