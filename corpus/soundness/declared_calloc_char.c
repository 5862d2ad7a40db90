// property: valid-deref
// verdict: false
// allowed: unknown
// inputs:
// cause: calloc is declared to return a pointer to a record
struct pair { int a, b; };
extern struct pair *calloc(unsigned long, unsigned long);
int main(void) {
    struct pair *pair = calloc(1, sizeof(int));
    if (!pair)
        return 0;
    pair->b = 1;
    return 0;
}
