// property: unreach-call
// verdict: false
// inputs:
// note: the size of a named array is known
extern void reach_error(void);
int main(void) {
  short row[12];
  if (__builtin_object_size(&row[2], 0) == 20) reach_error();
  return 0;
}
