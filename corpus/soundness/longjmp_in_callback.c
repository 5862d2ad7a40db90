// property: unreach-call
// verdict: false
// inputs:
// cause: a comparison that qsort calls leaves qsort by longjmp
typedef long buffer[25];
extern int _setjmp(buffer);
extern void longjmp(buffer, int);
extern void reach_error(void);
extern void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));

static buffer here;

static int compare(const void *a, const void *b) {
    void (*leave)(buffer, int) = longjmp;
    if (*(const int *) a == 3 || *(const int *) b == 3) leave(here, 9);
    return *(const int *) a - *(const int *) b;
}

int main(void) {
    int numbers[3] = {3, 2, 1};
    if (_setjmp(here) == 9) reach_error();
    else qsort(numbers, 3, sizeof(int), compare);
    return 0;
}
