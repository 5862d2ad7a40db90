// property: unreach-call
// verdict: true
// allowed: unknown
// inputs: 0; 1; 7
// cause: exit in an array of functions ends the program
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void exit(int);
static void go_on(int code) { (void)code; }
static void (*const ways[2])(int) = { go_on, exit };
int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    ways[x & 1](0);
    if (x & 1)
        reach_error();
    return 0;
}
