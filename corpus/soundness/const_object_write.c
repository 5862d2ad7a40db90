// property: valid-deref
// verdict: false
// inputs:
// note: an object that is defined const is written to
static const int limits[3] = { 1, 2, 3 };
int main(void) {
  int *p = (int *)limits;
  p[1] = 7;
  return limits[1];
}
