// property: valid-deref
// verdict: false
// cause: a stream is closed twice, after another one was opened
typedef struct _IO_FILE FILE;
extern FILE *fopen(const char *path, const char *mode);
extern int fclose(FILE *stream);
int main(void) {
    FILE *first = fopen("a", "r");
    if (!first)
        return 1;
    fclose(first);
    FILE *second = fopen("b", "r");
    fclose(first);
    if (second)
        fclose(second);
    return 0;
}
