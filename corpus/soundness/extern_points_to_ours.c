// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// externals: extern int own; int *where = &own;
// cause: an external pointer points to a variable of the program
extern void reach_error(void);
int own = 1;
extern int *where;
int main(void) {
    own = 1;
    *where = 2;
    if (own == 2)
        reach_error();
    return 0;
}
