// property: unreach-call
// verdict: false
// inputs:
// cause: a function of the program has the name of one in the library
extern void reach_error(void);
typedef unsigned long size;
size strspn(const char *text, const char *of) { return text[0] == of[0] ? 17 : 0; }
int main(void) {
    if (strspn("ab", "a") == 17)
        reach_error();
    return 0;
}
