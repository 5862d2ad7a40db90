// property: unreach-call
// verdict: false
// allowed: unknown
// cause: a function of the library reads volatile memory
extern void reach_error(void);
extern void *memcpy(void *, const void *, unsigned long);
volatile int reg = 1;
int main(void) {
    int copy;
    memcpy(&copy, (const void *)&reg, sizeof copy);
    if (copy != 1)
        reach_error();
    return 0;
}
