// property: unreach-call
// verdict: false
// cause: a loop that waits for a flag ends when a device sets it
extern void reach_error(void);
static volatile int ready = 0;
int main(void) {
    while (ready == 0) {
    }
    reach_error();
    return 0;
}
