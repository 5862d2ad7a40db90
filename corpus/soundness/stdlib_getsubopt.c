// property: unreach-call
// verdict: false
// inputs:
// cause: getsubopt gives the number of the token and its value, and cuts the text at the comma
extern void reach_error(void);
extern int getsubopt(char **, char *const *, char **);
int main(void) {
    char text[] = "size=3,fast", *options = text, *value;
    char *const tokens[] = { "fast", "size", 0 };
    if (getsubopt(&options, tokens, &value) != 1 || value[0] != '3' || value[1] != 0)
        return 0;
    if (getsubopt(&options, tokens, &value) == 0 && value == 0 && *options == 0)
        reach_error();
    return 0;
}
