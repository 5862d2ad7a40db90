// property: unreach-call
// verdict: true
// note: the value of a range is evaluated once
extern void reach_error(void);
int next;
int take(void) { return next++; }
int main(void) {
  int row[6] = { [1 ... 4] = take(), [2] = 50 };
  if (next != 1 || row[1] != 0 || row[2] != 50 || row[4] != 0) reach_error();
  return 0;
}
