// property: unreach-call
// verdict: true
// note: promotions, constants' types by value and suffix, _Bool takes every non-zero as 1
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned char a = 255, b = 1;
    if (a + b != 256) reach_error();
    unsigned char sum = a + b;
    if (sum != 0) reach_error();
    if (sizeof(2147483648) != 8 || sizeof(0x80000000) != 4) reach_error();
    if (-2147483648 > 0 || 0x80000000 < 0 || 'a' != 97 || sizeof('a') != 4) reach_error();
    if (~0u >> 31 != 1 || (~(unsigned char)0) != -1) reach_error();
    _Bool truth = __VERIFIER_nondet_int();
    if (truth != 0 && truth != 1) reach_error();
    truth = 256;
    if (truth != 1) reach_error();
    unsigned long wide = -1;
    if (wide != 18446744073709551615ul) reach_error();
    return 0;
}
