// property: valid-deref
// verdict: false
// cause: the stream is null
struct file;
extern void flockfile(struct file *);
int main(void) {
    flockfile((struct file *) 0);
    return 0;
}
