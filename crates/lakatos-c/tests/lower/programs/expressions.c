// Expressions of every kind; printed, so that a compiler can be asked too.
void *malloc(unsigned long);
void *memcpy(void *, const void *, unsigned long);
typedef unsigned long size_t;
struct S { int a; unsigned b : 3; int c : 5; _Bool d : 1; unsigned e : 1; int f : 1; long g; int arr[3]; };
union U { int i; char c[4]; };
static int cnt(void) { static int n = 10; return n++; }
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
struct S make(int x) { struct S s = {0}; s.a = x; s.arr[1] = x * 2; return s; }
int (*table[2])(int, int) = { add, sub };
int glob = 7; int garr[] = {1,2,3,[6]=9}; char str[] = "hello"; const char *names[] = {"x","yy"};
int knr(a, b) char a; float b; { return a + (int)b; }
void vla(int n, int m) {
  int a[n][m]; int i, j; 
  for (i = 0; i < n; i++) for (j = 0; j < m; j++) a[i][j] = i * 10 + j;
  int s = 0; int (*p)[m] = a; n = 100;
  for (i = 0; i < 3; i++, p++) for (j = 0; j < m; j++) s += (*p)[j] + p[0][j];
  printf("vla %d %d %d %d\n", s, (int)sizeof(a), (int)sizeof(a[0]), (int)(p - a));
  typedef int T[m]; m = 50; T x; printf("%d\n", (int)sizeof x);
  int q[2][m]; q[1][3] = 5; printf("%d %d\n", *(*(q+1)+3), (int)(&q[1] - &q[0]));
  printf("%d\n", (int)sizeof(int[m+1]));
}
void vp(int n, int m, int a[n][m]) { m = 1; printf("vp %d\n", a[1][2]); }
int sw(int x) { int r = 0;
  switch (x) { case 1: r += 1; case 2: r += 2; break; default: r = 50; case 7 ... 9: r += 100; break; { case 20: r = 20; } }
  return r; }
int duff(int count) { int n = (count + 3) / 4, s = 0; switch (count % 4) { case 0: do { s++; case 3: s++; case 2: s++; case 1: s++; } while (--n > 0); } return s; }
int main(void) {
  int x = 5, y;
  int a[5] = {1,2,3,4,5};
  struct S s = { .b = 9, .c = 17, .d = 5, .e = 2, .f = 1 };
  printf("%d %d %d %d %d\n", s.b, s.c, s.d, s.e, s.f);
  printf("%d ", (s.b = 15));
  printf("%d ", (s.e = 3));
  printf("%d ", (s.f = 3));
  printf("%d\n", (s.d = 4));
  s.b++;
  s.c--;
  s.e++;
  s.d++;
  s.f++;
  printf("%d %d %d %d %d\n", s.b, s.c, s.e, s.d, s.f);
  s.b += 3;
  s.c <<= 2;
  printf("%d %d\n", s.b, s.c);
  printf("%d\n", make(4).arr[1] + make(5).a);
  _Bool b = 3;
  b++;
  printf("%d ", b);
  b--;
  printf("%d ", b);
  b -= 5;
  printf("%d\n", b);
  char c = 127;
  c++;
  printf("%d\n", c);
  unsigned char uc = 0;
  uc--;
  printf("%d\n", uc);
  printf("%d %d\n", table[1](5, 3), (*table[0])(5, 3));
  printf("%d %d %d\n", sw(1), sw(2), sw(8));
  printf("%d %d %d\n", sw(100), sw(20), sw(-1));
  printf("%d %d %d\n", duff(5), duff(8), duff(3));
  vla(3, 4);
  int v[2][3] = {{1,2,3},{4,5,6}};
  vp(2, 3, v);
  printf("%d\n", knr('a', 2.5));
  int *p = a;
  *p++ = 10;
  *++p = 20;
  p[-1] += 4;
  printf("%d %d %d %d\n", a[0], a[1], a[2], (int)(p - a));
  printf("%d\n", ({ int t = 3; t * 2; }) + ({ int t = 4; t; }));
  printf("%d %d\n", x ?: 9, 0 ?: 9);
  printf("%d\n", cnt() && cnt() || cnt());
  printf("%d\n", cnt());
  y = (x > 1 && cnt() > 100) ? add(1,2) : sub(1,2);
  printf("%d\n", y);
  struct S *ps = &(struct S){ .a = 77, .arr = {1,2,3} };
  printf("%d %d\n", ps->a, ps->arr[2]);
  int res;
  printf("%d ", __builtin_add_overflow(2147483647, 1, &res));
  printf("%d\n", res);
  unsigned char rc;
  printf("%d ", __builtin_mul_overflow(20, 13u, &rc));
  printf("%d\n", rc);
  long rl;
  printf("%d ", __builtin_sub_overflow(1u, -5L, &rl));
  printf("%ld\n", rl);
  printf("%x %x %lx\n", __builtin_bswap16(0x1234), __builtin_bswap32(0x12345678), __builtin_bswap64(0x123456789abcdef0L));
  printf("%d %d %d %d %d\n", __builtin_clz(16), __builtin_ctz(16), __builtin_popcount(255), __builtin_parity(7), __builtin_ffs(8));
  union U u;
  u.i = 0x01020304;
  printf("%d\n", u.c[0]);
  int k = 0;
  again: k++;
  if (k < 5) goto again;
  printf("%d\n", k);
  { int z = 3; if (k == 5) { k++; goto again; } printf("%d\n", z); }
  for (int q = 0; q < 3; q++) { int w; if (q == 1) continue; w = q; printf("%d ", w); }
  printf("\n");
  unsigned int ui = 3;
  printf("%d %u\n", ui - 4 > 0, ui - 4);
  printf("%d\n", -1 < 1u);
  long long ll = 1LL << 40;
  int n = ll >> 38;
  printf("%d\n", n);
  printf("%s %c %d %d\n", str, names[1][1], garr[6], (int)(sizeof garr / sizeof garr[0]));
  char local[8] = "ab";
  printf("%d %d %s\n", local[1], local[5], local);
  int sum = 0;
  do { sum += x; if (sum > 20) break; } while (x++ < 100);
  printf("%d %d\n", sum, x);
  struct S s2 = s;
  s2.a = 1;
  s = s2;
  printf("%d\n", s.a);
  struct S arr2[2];
  arr2[1] = s;
  printf("%d\n", arr2[1].a);
  int *hp = malloc(3 * sizeof *hp);
  hp[0] = 1;
  hp[1] = 2;
  hp[2] = hp[0] + hp[1];
  printf("%d\n", hp[2]);
  void *vptr = hp;
  vptr += 4;
  printf("%d\n", *(int *)vptr);
  printf("%d %d\n", !x, !!x);
  printf("%d\n", (x, y));
  printf("%d\n", ~5 & 0xf);
  printf("%d\n", x == 3 ? 1 : x > 50 ? 2 : 3);
  short sh = 40000;
  printf("%d\n", sh);
  printf("%d %d\n", -7 / 2, -7 % 2);
  printf("%d\n", (char)300);
  x = 3;
  x <<= 2;
  x ^= 5;
  x |= 64;
  x &= ~1;
  x %= 50;
  printf("%d\n", x);
  double d = 3.5;
  d += 1;
  d++;
  int id = d;
  printf("%d %d\n", id, d > 5.4);
  float f = 0.1f;
  printf("%d\n", f == 0.1);
  int e3[2][2] = {{1,2},{3}};
  printf("%d %d\n", e3[1][0], e3[1][1]);
  printf("%d\n", *(*e3 + 1));
  int nn = 2;
  while (nn --> 0) printf("w%d ", nn);
  printf("\n");
  return add(1, 2);
}
