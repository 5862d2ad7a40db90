// property: valid-deref
// verdict: false
// note: the array ends with its block
int main(void) {
  int length = 3, *kept;
  {
    int row[length];
    row[0] = 5;
    kept = row;
  }
  return *kept;
}
