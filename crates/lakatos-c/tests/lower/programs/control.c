// Functions, control flow, pointers; printed, so that a compiler can be asked too.
void exit(int);
int f(int *p) { return *p; }
int fall(int x) { if (x) return 1; }
void v(int *p) { if (!p) return; *p = 4; }
int deadcode(void) { return 1; printf("never"); L: return 2; goto L; }
int g1 = 3; int *gp = &g1; struct T { struct T *next; int v; } t1 = { 0, 5 }, t2 = { &t1, 6 };
int order(int a) { printf("%d ", a); return a; }
int rec(int n) { return n <= 1 ? 1 : n * rec(n - 1); }
int loops(void) { int s = 0; for (;;) { while (1) { if (++s > 3) break; } if (s > 10) return s; } }
int lab(int x) { switch (x) { case 0: { int y = 5; case 1: y = 7; return y + x; } } return 0; }
enum E { A, B = 5, C };
int en(enum E e) { switch (e) { case A: return 1; case B: return 2; case C: return 3; } return 4; }
static inline unsigned ru(unsigned x) { return (x << 5) | (x >> 27); }
int cmp(const void *a, const void *b) { return *(int*)a - *(int*)b; }
typedef int (*cmpf)(const void *, const void *);
int call(cmpf c, int a, int b) { return c(&a, &b); }
int nested(void) { int x = 0; { int x = 5; { int x = 6; x++; } x++; if (x != 6) exit(1); } return x; }
long long mixed(char c, short s, unsigned u, long l) { return c + s * u - l; }
int sc(int *p) { return p && *p > 2 || !p; }
int comma(void) { int i, j; for (i = 0, j = 10; i < j; i++, j--); return i * 100 + j; }
int tern(int a) { return (a ? order(1) : order(2)) + (a > 2 ? a : -a); }
void asg(void) { int a, b, c; a = b = c = 5; a += b -= 2; printf("%d %d %d\n", a, b, c); int arr[3] = {0}; int i = 0; arr[i++] = 7; int j = arr[0] = 9; printf("%d %d %d\n", j, arr[0], i); }
int arr2d[3][4];
int main(int argc, char **argv) {
  printf("%d %d %d\n", f(gp), t2.next->v, (&t2)->v);
  int o = order(1);
  o += order(2) * 3;
  printf("%d\n", o);
  order(4), order(5);
  printf("\n");
  printf("%d %d %d %d\n", rec(5), loops(), lab(0), lab(1));
  printf("%d %d %d\n", en(A), en(C), en(9));
  printf("%u %d %d\n", ru(0x80000001u), call(cmp, 3, 5), nested());
  printf("%d\n", (int)mixed(1, 2, 3, 4));
  int z = 3;
  printf("%d %d\n", sc(0), sc(&z));
  printf("%d %d\n", comma(), tern(5));
  asg();
  for (int i = 0; i < 12; i++) ((int *)arr2d)[i] = i;
  printf("%d %d\n", arr2d[2][3], *(*(arr2d + 1) + 2));
  int *q = &arr2d[1][0];
  printf("%d %d\n", q[-1], (int)(&arr2d[2] - &arr2d[0]));
  if (1) { int k; v(&k); printf("%d\n", k); }
  int *np = 0;
  v(np);
  if (np == 0) printf("null\n");
  if (!(1.5 < 2.5)) printf("bad\n");
  unsigned long long big = 18446744073709551615ULL;
  printf("%d %llu\n", big > 0, big / 2);
  __int128 w = (__int128)big * 2;
  printf("%d\n", (int)(w >> 64));
  char s[] = "abc";
  char *p = s;
  while (*p) *p++ -= 32;
  printf("%s\n", s);
  printf("%d\n", deadcode());
  const char *str = "q\"\n";
  printf("%d\n", str[1]);
  goto skip;
  int unset;
  skip: unset = 1;
  printf("%d\n", unset);
  struct { int a; union { int b; char c; }; } an = { 1, { 2 } };
  an.b = 300;
  printf("%d\n", an.c);
  int (*fp)(int) = rec;
  printf("%d %d\n", fp(4), (***fp)(3));
  fp = &rec;
  printf("%d\n", fp == rec);
  printf("%d\n", ({ int r = 0; for (int i = 0; i < 3; i++) { if (i == 1) continue; r += i; } r; }));
  volatile int vol = 2;
  vol += 3;
  printf("%d\n", vol);
  register int rg = 4;
  printf("%d\n", rg & -rg);
  int sz = sizeof(struct T) + sizeof(z) + sizeof(arr2d);
  printf("%d\n", sz);
  exit(z + 1);
}
