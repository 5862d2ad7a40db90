// property: valid-deref
// verdict: false
// cause: fopen may fail
typedef struct _IO_FILE FILE;
extern FILE *fopen(const char *path, const char *mode);
extern int fclose(FILE *stream);
extern char *fgets(char *text, int size, FILE *stream);
int main(void) {
    char text[8];
    FILE *file = fopen("a", "r");
    fgets(text, sizeof text, file);
    fclose(file);
    return 0;
}
