// property: unreach-call
// verdict: false
// allowed: unknown
// cause: what getline gives ends with the newline
typedef struct _IO_FILE FILE;
extern FILE *fopen(const char *path, const char *mode);
extern int fclose(FILE *stream);
extern long getline(char **line, unsigned long *size, FILE *stream);
extern FILE *stdin;
extern void free(void *memory);
extern void reach_error(void);
int main(void) {
    char *line = 0;
    unsigned long size = 0;
    if (getline(&line, &size, stdin) == 2 && line[1] == '\n')
        reach_error();
    return 0;
}
