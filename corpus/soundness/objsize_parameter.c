// property: unreach-call
// verdict: true
// allowed: unknown
// inputs:
// cause: the size behind a parameter is the size or unknown
extern void reach_error(void);
static unsigned long size(const char *text) { return __builtin_object_size(text, 0); }
static char text[7];
int main(void) {
    unsigned long found = size(text);
    if (found != 7 && found != (unsigned long)-1)
        reach_error();
    return 0;
}
