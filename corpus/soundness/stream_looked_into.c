// property: valid-deref
// verdict: true
// allowed: unknown
// inputs:
// cause: nothing is known of what is in a stream
struct _IO_FILE { int flags; char *read; };
extern struct _IO_FILE *stdin;
int main(void) {
    if (stdin->flags & 1)
        return *stdin->read;
    return 0;
}
