// property: use-after-free
// verdict: false
// allowed: unknown
// inputs:
// cause: free is declared with another parameter and result
extern void *malloc(unsigned long);
extern int free(char *);
int main(void) {
    char *text = malloc(6);
    text[0] = 'x';
    free(text);
    return text[0];
}
