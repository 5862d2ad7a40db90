// property: valid-free
// verdict: false
// inputs:
// cause: a destructor and its caller free the same block
extern void *malloc(unsigned long);
extern void free(void *);
struct owner {
    void *data;
    void (*destroy)(void *);
};
static void dispose(struct owner owner) {
    if (owner.destroy)
        owner.destroy(owner.data);
}
int main(void) {
    struct owner owner = { malloc(8), free };
    dispose(owner);
    dispose(owner);
    return 0;
}
