// property: unreach-call
// verdict: false
// inputs:
// note: an enumeration with `mode(HI)` has two bytes and wraps there
extern void reach_error(void);

enum level { LOW, HIGH = 7 } __attribute__((mode(HI)));

int main(void) {
    enum level level = (enum level)(65536 + 7);
    if (level == HIGH) reach_error();
    return 0;
}
