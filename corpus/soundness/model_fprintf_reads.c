// property: valid-deref
// verdict: false
// inputs:
// cause: fprintf reads a string that has no end
struct file;
extern struct file *stderr;
extern int fprintf(struct file *, const char *, ...);
int main(void) {
    char *text = __builtin_malloc(2);
    text[0] = 'a';
    text[1] = 'b';
    fprintf(stderr, "%d: %s\n", 1, text);
    return 0;
}
