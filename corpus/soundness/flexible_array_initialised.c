// property: unreach-call
// verdict: true
// oracle: gcc
// inputs:
// cause: an object is longer than its type where an initialiser gives elements to the flexible array
extern void reach_error(void);
struct text { int n; char a; char d[]; };
struct text designated = {.n = 1, .d[3] = 5};
static struct text braces = {1, 2, {1, 2, 3}}, string = {1, 2, "hello"}, elided = {1, 2, 3, 4};
struct pairs { int n; struct { int a, b; } q[]; };
const struct pairs pairs = {3, {{1, 2}, {3}}};
static int sum(const struct text *p, int n) {
    int total = 0;
    for (int i = 0; i < n; i++)
        total += p->d[i];
    return total;
}
int main(void) {
    if (sizeof designated != 8 || designated.d[3] != 5 || designated.d[0] != 0)
        reach_error();
    if (sum(&braces, 3) != 6 || string.d[4] != 'o' || string.d[5] != 0 || elided.d[1] != 4)
        reach_error();
    if (pairs.q[1].a != 3 || pairs.q[1].b != 0)
        reach_error();
    struct text copy = braces, *p = &string;
    p->d[1] = 'E';
    if (copy.a != 2 || string.d[1] != 'E')
        reach_error();
    return 0;
}
