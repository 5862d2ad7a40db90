// property: no-overflow
// verdict: true
// note: a shift whose result fits
int main(void) {
  int sum = 0;
  for (int i = 0; i < 8; i++) sum += 1 << i;
  return sum == 255;
}
