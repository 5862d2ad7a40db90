// property: unreach-call
// verdict: false
// inputs: 7
// note: Duff's device: the switch jumps into the loop
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int count = __VERIFIER_nondet_int();
    if (count <= 0 || count > 40) return 0;
    int copied = 0;
    int rounds = (count + 3) / 4;
    switch (count % 4) {
    case 0: do { copied++;
    case 3:      copied++;
    case 2:      copied++;
    case 1:      copied++;
            } while (--rounds > 0);
    }
    if (copied == 7) reach_error();
    return 0;
}
