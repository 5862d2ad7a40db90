// property: unreach-call
// verdict: false
// inputs:
// note: braces replace the whole part: `box.in.high` is 0
extern void reach_error(void);
int main(void) {
  struct { struct { int low, high; } in; int rest; } box = { { 1, 2 }, 3, .in = { .low = 4 } };
  if (box.in.high == 0 && box.rest == 3) reach_error();
  return 0;
}
