// property: valid-deref
// verdict: false
// allowed: unknown
// cause: stat writes 144 bytes in LP64
extern int stat(const char *, void *);
int main(void) {
    char status[143];
    stat("/", status);
    return 0;
}
