// property: unreach-call
// verdict: true
// allowed: unknown
// inputs:
// cause: strlen is declared to return int
extern void reach_error(void);
extern int strlen(const char *);
int main(void) {
    if (strlen("ab") != 2)
        reach_error();
    return 0;
}
