// property: valid-deref
// verdict: false
// note: a jump back over the declaration ends the array
int main(void) {
  int length = 2, turns = 0, *old = 0;
again:;
  int row[length];
  row[1] = turns;
  if (turns == 0) {
    old = &row[1];
    turns = 1;
    goto again;
  }
  return *old;
}
