// property: unreach-call
// verdict: true
// note: a variable hides a typedef of the same name, in a block and as a parameter
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

typedef int number;

number add(number number) {
    return number * (number > 0);
}

int main(void) {
    number n = __VERIFIER_nondet_int();
    {
        number number = 3;
        int product = (number) * 2;
        if (product != 6 || sizeof(number) != 4) reach_error();
        typedef char n;
        if (sizeof(n) != 1) reach_error();
    }
    number after = (number)-1;
    if (after != -1) reach_error();
    if (add(n) < 0) reach_error();
    return 0;
}
