// property: unreach-call
// verdict: true
// cause: fgetc gives an unsigned char or EOF
typedef struct _IO_FILE FILE;
extern FILE *fopen(const char *path, const char *mode);
extern int fclose(FILE *stream);
extern int fgetc(FILE *stream);
extern void reach_error(void);
int main(void) {
    FILE *file = fopen("a", "r");
    if (!file)
        return 1;
    int character = fgetc(file);
    if (character < -1 || character > 255)
        reach_error();
    fclose(file);
    return 0;
}
