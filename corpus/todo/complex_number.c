// property: unreach-call
// verdict: true
// today: wrong
// note: _Complex arithmetic
extern void reach_error(void);

int main(void) {
    double _Complex i = __extension__ 1.0i;
    if (__real__(i * i) != -1.0) reach_error();
    return 0;
}
