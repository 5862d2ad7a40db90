// property: no-overflow
// verdict: false
// cause: the quotient of the least number and -1 does not fit
typedef struct { int quot; int rem; } div_t;
extern div_t div(int, int);
int main(void) { return div(-2147483647 - 1, -1).quot == 0; }
