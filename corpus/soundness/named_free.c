// property: valid-free
// verdict: true
// inputs:
// cause: the program has its own release that does nothing
static int released;
static void free(void *block) { (void)block; released++; }
int main(void) {
    int local;
    free(&local);
    free(&local);
    return released - 2;
}
