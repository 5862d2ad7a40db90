// property: unreach-call
// verdict: true
// note: GNU statement expressions with their own scope, and a ?: without its middle
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    int max = ({
        int x = a, y = b;
        x > y ? x : y;
    });
    if (max < a || max < b) reach_error();
    int calls = 0;
    int v = ({ calls++; a; }) ?: 5;
    if (calls != 1) reach_error();
    if (a != 0 ? v != a : v != 5) reach_error();
    return 0;
}
