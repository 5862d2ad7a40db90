// property: unreach-call
// verdict: true
// inputs:
// cause: an initialiser of file scope reads a compound literal that is made before it
extern void reach_error(void);
struct pair { int first, second; };
static struct pair copy = (struct pair){5, 6};
static struct pair *const taken = &(struct pair){3, 4};
static struct pair pairs[] = {(struct pair){1, 2}, (struct pair){.second = 7}};
int main(void) {
    if (copy.second != 6 || taken->first != 3 || pairs[0].first != 1 || pairs[1].second != 7)
        reach_error();
    return 0;
}
