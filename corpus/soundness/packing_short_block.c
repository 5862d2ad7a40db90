// property: valid-deref
// verdict: false
// inputs:
// cause: a block is too small for a record that is not packed
extern void *malloc(unsigned long);
extern void free(void *);
#pragma pack(push, 1)
struct entry { char key; long long value; };
#pragma pack(pop)
struct plain { char key; long long value; };
int main(void) {
    struct plain *plain = malloc(sizeof(struct entry));
    plain->value = 1;
    free(plain);
    return 0;
}
