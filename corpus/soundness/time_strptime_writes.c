// property: unreach-call
// verdict: true
// allowed: unknown
// inputs:
// cause: strptime gives null or a place in its text
extern void reach_error(void);
struct tm { int members[9]; long offset; const char *zone; };
extern char *strptime(const char *, const char *, struct tm *);
int main(void) {
    struct tm time;
    const char *text = "12:30";
    char *end = strptime(text, "%H:%M", &time);
    if (end != 0 && (end < text || end > text + 5))
        reach_error();
    return 0;
}
