// property: valid-deref
// verdict: true
// allowed: unknown
// inputs:
// cause: fgetpos writes 16 bytes in LP64
struct position { long offset; int state[2]; };
struct file;
extern struct file *tmpfile(void);
extern int fgetpos(struct file *, struct position *), fclose(struct file *);
int main(void) {
    struct position here;
    struct file *file = tmpfile();
    if (file != 0) {
        fgetpos(file, &here);
        fclose(file);
    }
    return 0;
}
