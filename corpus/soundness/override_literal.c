// property: unreach-call
// verdict: true
// allowed: unknown
// inputs:
// cause: a member twice in a compound literal
extern void reach_error(void);
struct point { int x, y; };
static int across(struct point p) { return p.x - p.y; }
int main(void) {
    if (across((struct point){ .x = 1, .y = 2, .x = 9 }) != 7)
        reach_error();
    return 0;
}
