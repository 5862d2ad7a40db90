// property: uninitialised-read
// verdict: true
// note: the replaced initialiser is not read
int main(void) {
  int unset;
  int pair[2] = { unset, 1, [0] = 2 };
  return pair[0] + pair[1];
}
