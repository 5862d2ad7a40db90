// property: unreach-call
// verdict: false
// inputs:
// cause: the pointer to the text is null where the end was reached, and behind what was read otherwise
extern void reach_error(void);
extern unsigned long mbsrtowcs(int *, const char **, unsigned long, void *);
int main(void) {
    int target[4];
    const char *start = "abc", *text = start;
    char state[8] = { 0 };
    if (mbsrtowcs(target, &text, 2, state) != 2 || text != start + 2)
        return 0;
    if (mbsrtowcs(target, &text, 4, state) == 1 && text == 0 && target[0] == 'c' && target[1] == 0)
        reach_error();
    return 0;
}
