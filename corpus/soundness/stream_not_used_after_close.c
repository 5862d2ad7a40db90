// property: valid-deref
// verdict: true
// allowed: unknown
// cause: two streams, one closed while the other is used
typedef struct _IO_FILE FILE;
extern FILE *fopen(const char *path, const char *mode);
extern int fclose(FILE *stream);
extern int fgetc(FILE *stream);
extern int fputc(int character, FILE *stream);
int main(void) {
    FILE *from = fopen("a", "r");
    if (!from)
        return 1;
    FILE *to = fopen("b", "w");
    if (!to) {
        fclose(from);
        return 1;
    }
    int character = fgetc(from);
    fclose(from);
    if (character != -1)
        fputc(character, to);
    fclose(to);
    return 0;
}
