// property: unreach-call
// verdict: false
// allowed: unknown
// cause: the function was registered by an earlier call, and changes what is asserted
#include <assert.h>
extern void register_handler(void (*handler)(void));
extern void wait_for_event(void);
static int count;
void handler(void) { count++; }
int main(void) {
  register_handler(handler);
  count = 0;
  wait_for_event();
  assert(count == 0);
  return 0;
}
