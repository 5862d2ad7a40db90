// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// cause: a pragma makes a variable weak
extern void reach_error(void);
#pragma weak option
extern int option;
int main(void) {
    if (&option == 0)
        reach_error();
    return 0;
}
