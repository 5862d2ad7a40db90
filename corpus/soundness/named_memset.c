// property: unreach-call
// verdict: true
// inputs:
// cause: a static function of the program has the name of a library function
extern void reach_error(void);
static int memset(int a, int b) { return a + b; }
int main(void) {
    if (memset(3, 4) != 7)
        reach_error();
    return 0;
}
