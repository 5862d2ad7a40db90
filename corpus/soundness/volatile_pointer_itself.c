// property: unreach-call
// verdict: true
// cause: a volatile pointer in a local, whose pointee is ordinary memory
extern void reach_error(void);
int x = 3;
int main(void) {
    int *volatile p = &x;
    *p = 4;
    if (x != 4)
        reach_error();
    return 0;
}
