// property: valid-memtrack
// verdict: false
// allowed: unknown
// cause: malloc is declared with signed integers
extern long malloc(long);
static int use(void) {
    char *block = (char *)malloc(8);
    block[0] = 1;
    return block[0];
}
int main(void) {
    return use() - 1;
}
