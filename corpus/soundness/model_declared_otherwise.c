// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// externals: int usleep(struct port { int x; } *p, int n) { return p->x + n; }
// cause: a function with the name of one in the library is another one
extern void reach_error(void);
struct port { int x; };
int usleep(struct port *, int);
int main(void) {
    struct port p = {40};
    if (usleep(&p, 2) == 42)
        reach_error();
    return 0;
}
