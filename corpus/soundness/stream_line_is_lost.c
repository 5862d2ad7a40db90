// property: valid-memtrack
// verdict: false
// allowed: unknown
// cause: memory that getline makes belongs to its caller
typedef struct _IO_FILE FILE;
extern FILE *fopen(const char *path, const char *mode);
extern int fclose(FILE *stream);
extern long getline(char **line, unsigned long *size, FILE *stream);
extern FILE *stdin;
extern void free(void *memory);
int main(void) {
    char *line = 0;
    unsigned long size = 0;
    if (getline(&line, &size, stdin) > 0)
        line[0] = 'a';
    return 0;
}
