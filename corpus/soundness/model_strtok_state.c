// property: unreach-call
// verdict: true
// inputs:
// cause: strtok remembers where it was
extern void reach_error(void);
extern char *strtok(char *, const char *);
int main(void) {
    char text[] = ",a,,bc";
    char *first = strtok(text, ","), *second = strtok(0, ","), *third = strtok(0, ",");
    if (first != text + 1 || first[1] != 0 || second != text + 4 || second[1] != 'c' || third != 0)
        reach_error();
    return 0;
}
