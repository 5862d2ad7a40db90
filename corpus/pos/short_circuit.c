// property: unreach-call
// verdict: true
// note: the right operand is evaluated only when it is needed; results are 0 or 1
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int calls;

int called(int result) {
    calls++;
    return result;
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int and = x > 0 && called(7);
    if (calls != (x > 0) || and != (x > 0)) reach_error();
    calls = 0;
    int or = x > 0 || called(0);
    if (calls != !(x > 0) || or != (x > 0)) reach_error();
    int *null = 0;
    if (null && *null == 3) reach_error();
    return 0;
}
