// property: unreach-call
// verdict: true
// inputs: 250; 0
// cause: elements of vectors are not promoted
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
typedef unsigned char bytes __attribute__((vector_size(16)));

int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    bytes a = {x, 200}, b = a + 100;
    if (b[0] != (unsigned char) (x + 100) || b[1] != 44 || b[2] != 100) reach_error();
    return 0;
}
