// property: unreach-call
// verdict: false
// inputs:
// cause: a constructor that nothing calls runs
extern void reach_error(void);
__attribute__((constructor)) static void start(void) { reach_error(); }
int main(void) { return 0; }
