// property: unreach-call
// verdict: true
// inputs:
// oracle: gcc
// cause: GCC gives the value of a bit-field an integer type of the field's width
extern void reach_error(void);
struct fields { unsigned long a : 3; unsigned short b : 9; } fields;
int main(void) {
    if (sizeof(fields.a += 1) != 1 || sizeof(fields.b = 1) != 2 || sizeof(0, fields.a) != 1)
        reach_error();
    return 0;
}
