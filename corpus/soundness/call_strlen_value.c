// property: unreach-call
// verdict: true
// allowed: unknown
// inputs:
// cause: strlen through a typedef of a pointer gives the length
extern void reach_error(void);
extern unsigned long strlen(const char *);
typedef unsigned long measure(const char *);
static unsigned long twice(measure *length, const char *text) {
    return 2 * length(text);
}
int main(void) {
    if (twice(strlen, "four") != 8)
        reach_error();
    return 0;
}
