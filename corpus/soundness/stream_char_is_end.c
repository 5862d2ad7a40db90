// property: unreach-call
// verdict: false
// cause: a char that holds what fgetc gives cannot tell 255 from EOF
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
    signed char narrow = character;
    if (narrow == -1 && character != -1)
        reach_error();
    fclose(file);
    return 0;
}
