// property: valid-deref
// verdict: false
// cause: a stream is used after it was closed
typedef struct _IO_FILE FILE;
extern FILE *fopen(const char *path, const char *mode);
extern int fclose(FILE *stream);
extern int fgetc(FILE *stream);
int main(void) {
    FILE *file = fopen("a", "r");
    if (!file)
        return 1;
    fclose(file);
    return fgetc(file) == 'x';
}
