// property: unreach-call
// verdict: true
// note: a compiler barrier changes nothing
extern void reach_error(void);
int shared = 4;
int main(void) {
  __asm__ volatile("" ::: "memory");
  __asm__ volatile("nop");
  if (shared != 4) reach_error();
  return 0;
}
