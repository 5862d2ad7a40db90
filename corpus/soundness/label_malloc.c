// property: valid-memtrack
// verdict: false
// allowed: unknown
// cause: an asm label names malloc
extern char *take(unsigned long) __asm__("malloc");
static void fill(void) {
    char *block = take(2);
    block[1] = 0;
}
int main(void) {
    fill();
    return 0;
}
