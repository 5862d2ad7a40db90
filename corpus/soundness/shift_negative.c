// property: no-overflow
// verdict: false
// inputs:
// note: a negative number is shifted to the left
int main(void) {
  int n = -3;
  return n << 2;
}
