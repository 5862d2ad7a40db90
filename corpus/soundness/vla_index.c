// property: array-bounds
// verdict: false
// inputs:
// note: the index is compared with the evaluated length
int main(void) {
  int length = 4;
  char row[length];
  length = 9;
  for (int i = 0; i < length; i++) row[i] = 1;
  return 0;
}
