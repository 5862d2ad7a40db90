// property: unreach-call
// verdict: true
// note: the first initialiser of `pair.left` is replaced, so the call is not made
extern void reach_error(void);
int calls;
int count(void) { calls++; return calls; }
int main(void) {
  struct { int left, right; } pair = { count(), 2, .left = 7 };
  if (calls != 0 || pair.left != 7) reach_error();
  return 0;
}
