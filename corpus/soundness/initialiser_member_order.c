// property: unreach-call
// verdict: true
// note: values are evaluated in the order of the members
extern void reach_error(void);
int clock;
int tick(void) { return ++clock; }
int main(void) {
  struct { int first, second; } s = { .second = tick(), .first = tick() };
  if (s.first != 1 || s.second != 2) reach_error();
  return 0;
}
