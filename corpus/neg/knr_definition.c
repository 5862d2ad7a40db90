// property: unreach-call
// verdict: false
// inputs: 300
// note: the old-style char parameter keeps only the low byte of its int argument
extern int __VERIFIER_nondet_int();
extern void reach_error();

int low(c)
    char c;
{
    return c;
}

int main() {
    int x = __VERIFIER_nondet_int();
    if (x == 300 && low(x) == 44) reach_error();
    return 0;
}
