// property: unreach-call
// verdict: false
// cause: an ordinary global, read through a cast to volatile
extern void reach_error(void);
int shared;
int main(void) {
    shared = 1;
    if (*(volatile int *)&shared != 1)
        reach_error();
    return 0;
}
