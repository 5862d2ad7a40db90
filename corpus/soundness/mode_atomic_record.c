// property: unreach-call
// verdict: true
// inputs:
// oracle: gcc
// cause: an atomic record of three bytes stays small in gcc
extern void reach_error(void);
struct three { char bytes[3]; };
struct holder { char first; _Atomic(struct three) rest; };
int main(void) {
    if (sizeof(struct holder) != 4)
        reach_error();
    return 0;
}
