// property: valid-deref
// verdict: true
// note: the object is not const, only the pointer's type
static int value = 1;
int main(void) {
  const int *view = &value;
  *(int *)view = 2;
  return value;
}
