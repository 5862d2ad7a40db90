// property: unreach-call
// verdict: true
// allowed: unknown
// cause: setlocale may change what toupper does, which is assumed not to happen
extern char *setlocale(int category, const char *name);
extern int toupper(int character);
extern void reach_error(void);
int main(void) {
    setlocale(6, "");
    if (toupper('a') != 'A')
        reach_error();
    return 0;
}
