// property: valid-deref
// verdict: false
// allowed: unknown
// inputs:
// cause: a variable of the environment has any length
extern char *getenv(const char *);
extern char *strcpy(char *, const char *);
int main(void) {
    char *copy = __builtin_malloc(4);
    char *value = getenv("PATH");
    if (value)
        strcpy(copy, value);
    return 0;
}
