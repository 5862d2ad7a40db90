// property: valid-deref
// verdict: true
// allowed: unknown
// cause: what getline gives ends with a null character
typedef struct _IO_FILE FILE;
extern FILE *fopen(const char *path, const char *mode);
extern int fclose(FILE *stream);
extern long getline(char **line, unsigned long *size, FILE *stream);
extern FILE *stdin;
extern void free(void *memory);
int main(void) {
    char *line = 0;
    unsigned long size = 0;
    long length = getline(&line, &size, stdin);
    int last = 0;
    if (length > 0)
        last = line[length] + line[length - 1];
    free(line);
    return last == 0;
}
