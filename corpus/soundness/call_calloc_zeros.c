// property: unreach-call
// verdict: true
// inputs:
// cause: calloc through a pointer gives zeros
extern void reach_error(void);
extern void *calloc(unsigned long, unsigned long);
extern void free(void *);
int main(void) {
    void *(*zeroed)(unsigned long, unsigned long) = calloc;
    int *cells = zeroed(3, sizeof(int));
    if (cells && cells[2] != 0)
        reach_error();
    free(cells);
    return 0;
}
