// property: unreach-call
// verdict: true
// note: structs are copied on assignment, as arguments and as results
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct point {
    int x, y;
};

struct point mirrored(struct point p) {
    int x = p.x;
    p.x = p.y;
    p.y = x;
    return p;
}

int main(void) {
    struct point a = {__VERIFIER_nondet_int(), 7};
    struct point b = a;
    b.y = 8;
    struct point c = mirrored(a);
    if (a.y != 7 || b.x != a.x || c.x != 7 || c.y != a.x) reach_error();
    if (mirrored(c).y != 7) reach_error();
    return 0;
}
