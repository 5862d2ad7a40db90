// property: unreach-call
// verdict: true
// inputs:
// cause: a strong function of the program exists
extern void reach_error(void);
void present(void) {}
int main(void) {
    void (*f)(void) = present;
    if (!f)
        reach_error();
    return 0;
}
