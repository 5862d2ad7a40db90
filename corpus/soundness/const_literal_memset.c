// property: valid-deref
// verdict: false
// inputs:
// note: a library function writes to a string literal
extern void *memset(void *, int, unsigned long);
int main(void) {
  char *text = "text";
  memset(text, 'x', 2);
  return text[0];
}
