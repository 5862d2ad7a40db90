// property: unreach-call
// verdict: true
// inputs:
// cause: the model has strings of its own, which are there from the start
extern void reach_error(void);
extern int sprintf(char *, const char *, ...);
int main(void) {
    char text[16];
    if (sprintf(text, "%d%#x", -5, 31) != 6 || text[0] != '-' || text[1] != '5' || text[3] != 'x')
        reach_error();
    return 0;
}
