// property: unreach-call
// verdict: false
// inputs: 3
// note: strlen stops at the first zero byte, which an input puts there
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern unsigned long strlen(const char *s);
extern char *strcpy(char *to, const char *from);

int main(void) {
    char buffer[16];
    strcpy(buffer, "verifier");
    int at = __VERIFIER_nondet_int();
    if (at < 0 || at > 7) return 0;
    buffer[at] = '\0';
    if (strlen(buffer) == 3) reach_error();
    return 0;
}
