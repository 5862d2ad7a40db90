// property: unreach-call
// verdict: false
// allowed: unknown
// cause: the function that calls back is itself called through a pointer
#include <assert.h>
extern void each(void (*visit)(int), int n);
static int sum;
void add(int x) { sum += x; }
int main(void) {
  void (*walk)(void (*)(int), int) = each;
  walk(add, 3);
  assert(sum == 0);
  return 0;
}
