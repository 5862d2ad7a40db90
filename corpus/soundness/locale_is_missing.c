// property: unreach-call
// verdict: false
// inputs:
// cause: a locale that the system does not have
extern char *setlocale(int category, const char *name);
extern void reach_error(void);
int main(void) {
    if (setlocale(6, "no such locale") == 0)
        reach_error();
    return 0;
}
