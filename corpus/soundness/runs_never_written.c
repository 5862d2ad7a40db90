// property: unreach-call
// verdict: false
// allowed: unknown
// cause: bytes of a buffer that was never written, read as unsigned char
typedef unsigned long size_t;
extern void reach_error(void);
extern void *malloc(size_t);
extern void free(void *);
int main(void) {
    unsigned char *buffer = malloc(64);
    int sum = 0;
    for (int i = 1; i < 64; i++)
        sum += buffer[i];
    free(buffer);
    if (sum)
        reach_error();
    return 0;
}
