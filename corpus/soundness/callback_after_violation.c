// property: no-overflow
// verdict: false
// cause: what goes wrong before the first call of a function that calls back is decided
extern int __VERIFIER_nondet_int(void);
extern void register_handler(int (*handler)(int));
int twice(int x) { return x + x; }
int main(void) {
  int x = twice(__VERIFIER_nondet_int());
  register_handler(twice);
  return x;
}
