// property: unreach-call
// verdict: true
// note: compound literals are objects: their address may be taken and they can be changed
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct point {
    int x, y;
};

int norm(const struct point *p) {
    return (p->x < 0 ? -p->x : p->x) + (p->y < 0 ? -p->y : p->y);
}

int main(void) {
    int n = __VERIFIER_nondet_int() % 100;
    struct point p = (struct point){n, -3};
    if (norm(&p) < 3) reach_error();
    if (norm(&(struct point){.y = 4}) != 4) reach_error();
    int *a = (int[]){1, 2, 3};
    a[1] = n;
    if (a[0] + a[2] != 4 || a[1] != n) reach_error();
    return 0;
}
