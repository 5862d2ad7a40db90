// property: unreach-call
// verdict: true
// cause: a call of a function that may call back, which no run reaches
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void register_handler(void (*handler)(void));
static int count;
void handler(void) { count++; }
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0 && x > 10) register_handler(handler);
  assert(count == 0);
  return 0;
}
