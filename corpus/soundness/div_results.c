// property: unreach-call
// verdict: true
// inputs:
// cause: div gives a structure, which the program declares by itself
extern void reach_error(void);
typedef struct { int quot; int rem; } div_t;
typedef struct ldiv { long quot, rem; } ldiv_t;
extern div_t div(int, int);
extern ldiv_t ldiv(long, long);
int main(void) {
    div_t parts = div(17, -5);
    ldiv_t long_parts;
    if (parts.quot != -3 || parts.rem != 2)
        reach_error();
    long_parts = ldiv(-7, 2);
    if (long_parts.quot != -3 || ldiv(-7, 2).rem != -1 || div(9, 4).rem != 1)
        reach_error();
    return 0;
}
