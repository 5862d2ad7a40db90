// property: unreach-call
// verdict: false
// cause: a flag that a signal handler sets
extern void reach_error(void);
typedef int sig_atomic_t;
static volatile sig_atomic_t stop;
int main(void) {
    while (!stop) {
    }
    if (stop == 0)
        reach_error();
    return 0;
}
