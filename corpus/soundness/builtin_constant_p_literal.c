// property: unreach-call
// verdict: true
// note: a string literal is a constant, a call is none
extern void reach_error(void);
int calls;
int count(void) { return ++calls; }
int main(void) {
  if (!__builtin_constant_p("text") || __builtin_constant_p(count()) || calls) reach_error();
  return 0;
}
