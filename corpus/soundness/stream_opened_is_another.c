// property: unreach-call
// verdict: true
// cause: two open streams are two
typedef struct _IO_FILE FILE;
extern FILE *fopen(const char *path, const char *mode);
extern int fclose(FILE *stream);
extern void reach_error(void);
int main(void) {
    FILE *first = fopen("a", "r"), *second = fopen("a", "r");
    if (first && first == second)
        reach_error();
    return 0;
}
