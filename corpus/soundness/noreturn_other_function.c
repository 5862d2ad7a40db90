// property: unreach-call
// allowed: unknown
// verdict: false
// inputs: 0
// externals: void die(int c) { _exit(0); } void warn(int c) { (void)c; }
// cause: only one of two functions does not return
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Noreturn void die(int);
extern void warn(int);
int main(void) {
    (__VERIFIER_nondet_uchar() ? die : warn)(2);
    reach_error();
    return 0;
}
