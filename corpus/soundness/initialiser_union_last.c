// property: unreach-call
// verdict: true
// note: the last member of a union wins, what the others had is gone
extern void reach_error(void);
int main(void) {
  union { long whole; unsigned char bytes[8]; } word = { .whole = -1, .bytes = { [1] = 3 } };
  if (word.bytes[0] != 0 || word.bytes[1] != 3 || word.bytes[7] != 0) reach_error();
  return 0;
}
