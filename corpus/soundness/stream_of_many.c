// property: unreach-call
// verdict: false
// allowed: unknown
// cause: as many streams as wanted can be open at a time
typedef struct _IO_FILE FILE;
extern FILE *fopen(const char *path, const char *mode);
extern int fclose(FILE *stream);
extern void reach_error(void);
int main(void) {
    int open = 0;
    for (int i = 0; i < 10; i++)
        if (fopen("a", "r"))
            open++;
    if (open == 10)
        reach_error();
    return 0;
}
