// property: unreach-call
// verdict: false
// inputs:
// note: 0.1 + 0.2 is not 0.3 in binary floating point
extern void reach_error(void);

int main(void) {
    double tenth = 0.1, fifth = 0.2;
    if (tenth + fifth != 0.3) reach_error();
    return 0;
}
