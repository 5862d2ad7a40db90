int n; static int f(int k) { printf("f%d ", k); n++; return k; }
struct in { int x, y; }; struct o { struct in i; int k; };
static struct in g(void) { struct in r = { 8, 9 }; printf("g "); return r; }
static struct in ga[2] = { [0 ... 1] = { 1, 2 }, [0].x = 5 };
static int gm[2][2] = { [0] = { 1, 2 }, [0] = { 3 } };
static union { int a; char c[4]; } gu = { .a = -1, .c = { 1 } };
int main(void) {
  int q = 7;
  { struct o o = { .i = { f(1), f(2) }, .i.x = f(5) }; printf("%d %d\n", o.i.x, o.i.y); }
  { struct o o = { .i = { f(1), f(2) }, .i = { .y = f(3) } }; printf("%d %d\n", o.i.x, o.i.y); }
  { struct in a[2] = { [0 ... 1] = { f(1), f(2) } }; printf("%d %d\n", a[0].x, a[1].y); }
  { struct in a[2] = { [0 ... 1] = g() }; printf("%d %d\n", a[0].x, a[1].y); }
  { struct in a[2] = { [0 ... 1] = (struct in){ f(1), f(2) } }; printf("%d %d\n", a[0].x, a[1].y); }
  { struct in a[3] = { [0 ... 1].x = f(1), f(2), f(3) };
    printf("%d %d %d %d %d\n", a[0].x, a[0].y, a[1].x, a[1].y, a[2].x); }
  { struct in a[2] = { [0 ... 1] = { 1, 2 }, [0].x = f(5) }; printf("%d %d %d\n", a[0].x, a[0].y, a[1].y); }
  { struct in a[2] = { [0 ... 1].x = q, [0].y = f(5) }; printf("%d %d %d\n", a[0].x, a[0].y, a[1].x); }
  { int a[4] = { [0 ... 3] = f(1), [1 ... 2] = f(2) }; printf("%d %d %d %d\n", a[0], a[1], a[2], a[3]); }
  { int a[4] = { [0 ... 3] = f(1), [0 ... 3] = f(2) }; printf("%d %d\n", a[0], a[3]); }
  { int a[4] = { [2] = f(3), [0] = f(1), f(2) }; printf("%d %d %d %d\n", a[0], a[1], a[2], a[3]); }
  { int a[2][2] = { f(1), f(2), [0] = f(3), [1][1] = f(4) };
    printf("%d %d %d %d\n", a[0][0], a[0][1], a[1][0], a[1][1]); }
  { int m[2][2] = { [0 ... 1][0 ... 1] = f(6), [0][1] = f(2) };
    printf("%d %d %d %d\n", m[0][0], m[0][1], m[1][0], m[1][1]); }
  { union { int a; char c[4]; struct { char p; int q; } s; } u = { .a = f(-1), .c = { f(1) } };
    printf("%x %d %x\n", u.a, u.c[0], u.s.q); }
  { union { int k[3]; struct in i; } u = { .k = { f(1) }, .i.x = f(2), .k[2] = f(3) };
    printf("%d %d %d\n", u.k[0], u.k[1], u.k[2]); }
  { struct { union { int a; struct { char p, q; }; }; } s = { .a = -1, .p = 1 }; printf("%d %d\n", s.p, s.q); }
  { struct { char s[4]; int k; } s = { .s = "abc", .s[1] = 'x' }; printf("%s\n", s.s); }
  { struct { char s[4]; int k; } s = { .s[1] = 'x', .s = "abc" }; printf("%s\n", s.s); }
  { char s[3][4] = { [0 ... 1] = "abc", [1][1] = 'x' }; printf("%s %s %d\n", s[0], s[1], s[2][0]); }
  { int a[2] = { f(1), f(2), f(3) }; printf("%d %d\n", a[0], a[1]); }
  { int i = 0; int a[3] = { i++, i++, [0] = i++ }; printf("%d %d %d\n", a[0], a[1], i); }
  { int *p = (int[2]){ [0] = f(1), [0] = 4, [1] = 5 }; printf("%d %d\n", p[0], p[1]); }
  for (int i = 0; i < 2; i++) { int a[3] = { [1 ... 2] = f(i) }; printf("%d %d\n", a[0], a[2]); }
  printf("%d %d %d %d %d\n", ga[0].x, ga[0].y, ga[1].y, gm[0][1], gu.c[1]);
  return n;
}
