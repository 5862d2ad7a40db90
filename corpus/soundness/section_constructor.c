// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// cause: a constructor changes a variable
extern void reach_error(void);
static int ready;
__attribute__((constructor)) static void prepare(void) { ready = 1; }
int main(void) {
    if (ready)
        reach_error();
    return 0;
}
