// property: unreach-call
// verdict: false
// allowed: unknown
// cause: nothing is known of what is in a stream that is open
typedef struct { int flags; } FILE;
extern FILE *fopen(const char *path, const char *mode);
extern void reach_error(void);
int main(void) {
    FILE *file = fopen("a", "r");
    if (file && file->flags != 1)
        reach_error();
    return 0;
}
