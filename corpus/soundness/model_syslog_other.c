// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// externals: void syslog(int *level, const char *text) { *level = text[0]; }
// cause: a function with the name of one in the library and a format is another one
extern void reach_error(void);
void syslog(int *level, const char *text);
int main(void) {
    int level = 0;
    syslog(&level, "text");
    if (level == 't')
        reach_error();
    return 0;
}
