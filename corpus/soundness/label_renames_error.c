// property: unreach-call
// verdict: true
// allowed: unknown
// inputs:
// externals: void harmless(void) {}
// cause: the error function has the label of a harmless one
extern void reach_error(void) __asm__("harmless");
int main(void) {
    reach_error();
    return 0;
}
