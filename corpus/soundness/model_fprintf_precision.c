// property: valid-deref
// verdict: true
// inputs:
// cause: fprintf reads no more of a string than the precision says
struct file;
extern struct file *stderr;
extern int fprintf(struct file *, const char *, ...);
int main(void) {
    char *text = __builtin_malloc(2);
    text[0] = 'a';
    text[1] = 'b';
    fprintf(stderr, "%d: %.2s %5.1f %p\n", 1, text, 2.5, (void *)text);
    return 0;
}
