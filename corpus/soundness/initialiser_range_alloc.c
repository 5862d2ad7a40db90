// property: valid-free
// oracle: gcc
// verdict: false
// inputs:
// note: one block for the whole range, freed twice
extern void *malloc(unsigned long);
extern void free(void *);
int main(void) {
  void *slots[3] = { [0 ... 2] = malloc(8) };
  free(slots[0]);
  free(slots[2]);
  return 0;
}
