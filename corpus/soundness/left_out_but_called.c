// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// cause: a function that cannot be understood is not the one of the library that has its name
extern void reach_error(void);
typedef int four __attribute__((vector_size(16)));
int abs(int number) {
    four numbers = {number, number, number, number};
    return -numbers[1];
}
int main(void) {
    if (abs(1) < 0)
        reach_error();
    return 0;
}
