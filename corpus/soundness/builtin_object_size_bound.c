// property: valid-deref
// verdict: false
// inputs:
// note: writes one byte behind the array, as its size is known
static char room[6];
int main(void) {
  unsigned long size = __builtin_object_size(room, 2);
  if (size == 0) return 0;
  room[size] = 1;
  return 0;
}
