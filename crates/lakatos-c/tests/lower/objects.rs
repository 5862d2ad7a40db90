//! Places: assignments, bit-fields, pointers, variable-length arrays.

use expect_test::expect;

use crate::{check, check_main};

#[test]
fn bit_fields() {
    check_main(
        "struct s { unsigned a : 3; int b : 5; _Bool c : 1; unsigned d : 1; int e : 1; } s; int x;",
        "s.a = x; s.b = x; s.c = x; s.d = x; s.e = x; s.d = 2; s.c = 2; x = s.a; x = s.d; x = (s.a = x); s.a++; s.b += x;
         if (s.d) x = s.d--; if (s.a) x = 1; return 0;",
        expect![[r#"
            temp unsigned int $1
            l0 entry
            s.a = (unsigned:3)(unsigned int)x -> l2
            l1 exit
            l2
            s.b = (int:5)x -> l3
            l3
            s.c = x != 0 -> l4
            l4
            s.d = ((unsigned int)x & 1) != 0 -> l5
            l5
            s.e = (int:1)x -> l6
            l6
            s.d = 0 -> l7
            l7
            s.c = 1 -> l8
            l8
            x = (int)(unsigned int)s.a -> l9
            l9
            x = (int)s.d -> l10
            l10
            s.a = (unsigned:3)(unsigned int)x -> l11
            l11
            x = (int)(unsigned int)s.a -> l12
            l12
            s.a = (unsigned:3)(unsigned int)((int)(unsigned int)s.a + 1) -> l13
            l13
            s.b = (int:5)((int)s.b + x) -> l14
            l14
            [s.d] -> l15
            [!s.d] -> l18
            l15
            $1 = (unsigned int)s.d -> l16
            l16
            s.d = ((unsigned int)((int)$1 - 1) & 1) != 0 -> l17
            l17
            x = (int)$1 -> l18
            l18
            [(unsigned int)s.a != 0] -> l19
            [(unsigned int)s.a == 0] -> l20
            l19
            x = 1 -> l20
            l20
            return 0 -> l1
        "#]],
    );
}

#[test]
fn increments() {
    check_main(
        "char c; _Bool b; int i, *p; unsigned u; long l; float f; int a[3];",
        "c++; b++; --b; p++; p--; u++; l--; f++; i = i++; i = ++c; a[i]++; i = a[i]++; *p++ = 1; i = *--p; (*p)++; c += 300; p += i; p -= u; c <<= 2; b |= 2; f += 1;
         return 0;",
        expect![[r#"
            temp int $1
            temp int $2
            temp int *$3
            l0 entry
            c = (char)((int)c + 1) -> l2
            l1 exit
            l2
            b = (int)b + 1 != 0 -> l3
            l3
            b = (int)b - 1 != 0 -> l4
            l4
            p = p + 1 -> l5
            l5
            p = p - 1 -> l6
            l6
            u = u + 1 -> l7
            l7
            l = l - 1 -> l8
            l8
            f = f + 1.0f -> l9
            l9
            $1 = i -> l10
            l10
            i = $1 + 1 -> l11
            l11
            i = $1 -> l12
            l12
            c = (char)((int)c + 1) -> l13
            l13
            i = (int)c -> l14
            l14
            a[i] = a[i] + 1 -> l15
            l15
            $2 = a[i] -> l16
            l16
            a[i] = $2 + 1 -> l17
            l17
            i = $2 -> l18
            l18
            $3 = p -> l19
            l19
            p = $3 + 1 -> l20
            l20
            *$3 = 1 -> l21
            l21
            p = p - 1 -> l22
            l22
            i = *p -> l23
            l23
            *p = *p + 1 -> l24
            l24
            c = (char)((int)c + 300) -> l25
            l25
            p = p + (long)i -> l26
            l26
            p = p + -(long)u -> l27
            l27
            c = (char)((int)c << 2) -> l28
            l28
            b = ((int)b | 2) != 0 -> l29
            l29
            f = f + 1.0f -> l30
            l30
            return 0 -> l1
            t.c:1:125: Warning: `i` is changed in one operand and used in another, and C leaves their order open; it is evaluated left to right here
        "#]],
    );
}

#[test]
fn pointers_and_arrays() {
    check_main(
        "int a[3], m[2][3], *p, (*q)[3], x; char *s; struct s { int n[2]; struct s *next; } g, *h; void *v;",
        "p = a; p = &a[1]; p = &p[2]; x = *(a + 1); x = *a; x = m[1][2]; q = m; p = *q; x = (*q)[1]; p = m[1]; p = p + x;
         p = p - x; x = p - a; x = p < a; v = v + 1; x = h->next->n[1]; p = h->n; h = &g; x = (&g)->n[0]; p = &*p; s = \"abc\"; x = \"abc\"[1]; x = 1[a]; return *&x;",
        expect![[r##"
            l0 entry
            p = &a[0] -> l2
            l1 exit
            l2
            p = &a[1] -> l3
            l3
            p = p + 2 -> l4
            l4
            x = a[1] -> l5
            l5
            x = a[0] -> l6
            l6
            x = m[1][2] -> l7
            l7
            q = &m[0] -> l8
            l8
            p = &(*q)[0] -> l9
            l9
            x = (*q)[1] -> l10
            l10
            p = &m[1][0] -> l11
            l11
            p = p + (long)x -> l12
            l12
            p = p + -(long)x -> l13
            l13
            x = (int)(p - &a[0]) -> l14
            l14
            x = (int)(p < &a[0]) -> l15
            l15
            v = v + 1 -> l16
            l16
            x = h->next->n[1] -> l17
            l17
            p = &h->n[0] -> l18
            l18
            h = &g -> l19
            l19
            x = g.n[0] -> l20
            l20
            p = p -> l21
            l21
            s = &"abc"[0] -> l22
            l22
            x = (int)"abc"#2[1] -> l23
            l23
            x = a[1] -> l24
            l24
            return x -> l1
        "##]],
    );
}

#[test]
fn values_of_assignments() {
    check_main(
        "int a, b, m[3], *p; char c; struct s { int x, y; } s, t; struct s f(void) { return s; }",
        "a = b = 3; a = c = 300; a = m[a] = b; a = *p = b; a = (s = t).y; a = f().y; a = (b += 2); s = t = f(); if ((a = b)) b = 1; return 0;",
        expect![[r#"
            temp int $1
            temp int $2
            temp struct s $3
            l0 entry
            b = 3 -> l2
            l1 exit
            l2
            a = b -> l3
            l3
            c = 44 -> l4
            l4
            a = (int)c -> l5
            l5
            $1 = b -> l6
            l6
            m[a] = $1 -> l7
            l7
            a = $1 -> l8
            l8
            $2 = b -> l9
            l9
            *p = $2 -> l10
            l10
            a = $2 -> l11
            l11
            s = t -> l12
            l12
            a = s.y -> l13
            l13
            $3 = f() -> l14
            l14
            a = $3.y -> l15
            l15
            b = b + 2 -> l16
            l16
            a = b -> l17
            l17
            t = f() -> l18
            l18
            s = t -> l19
            l19
            a = b -> l20
            l20
            [a != 0] -> l21
            [a == 0] -> l22
            l21
            b = 1 -> l22
            l22
            return 0 -> l1
        "#]],
    );
}

#[test]
fn variable_length_arrays() {
    check(
        "int f(int n, int m, int p[n][m]) { return p[1][2] + sizeof(p[0]); }
int main(void) {
  int n = 3, m = 4;
  int a[n], b[n][m], (*q)[m] = b;
  n = 5;
  a[1] = 2;
  b[1][2] = a[1];
  q++;
  typedef int row[n];
  row r;
  return sizeof(a) + sizeof r + (q - b) + f(3, 4, b) + *(*(b + 1) + 2) + sizeof(int[n + 1]);
}",
        expect![[r#"
            in0: uninitialised int a in main @4:7
            in1: uninitialised int b in main @4:13
            in2: uninitialised int r in main @10:7

            int f(int n, int m, int *p)
                temp unsigned long $1
                temp unsigned long $2
              l0 entry @1:30
                $1 = (unsigned long)m -> l2
              l1 exit @1:67
              l2 @1:30
                [$1 <= 2305843009213693951] -> l3
                [$1 > 2305843009213693951] -> l5
              l3 @1:30
                $2 = $1 -> l4
              l4 @1:36
                return (int)((unsigned long)*(p + (long)(1 * $2) + 2) + $2 * 4) -> l1
              l5 @1:30
                __builtin_unreachable() -> l6
              l6 @1:30

            int main(void)
                local int n
                local int m
                temp unsigned long $3
                temp unsigned long $4
                local int *a
                temp unsigned long $6
                temp unsigned long $7
                temp unsigned long $8
                temp unsigned long $9
                temp unsigned long $10
                local int *b
                temp unsigned long $12
                temp unsigned long $13
                local int *q
                temp unsigned long $15
                temp unsigned long $16
                local int *r
                temp unsigned long $18
                temp int $19
                temp unsigned long $20
                temp unsigned long $21
              l0 entry @3:3
                n = 3 -> l2
              l1 exit @12:1
              l2 @3:3
                m = 4 -> l3
              l3 @4:3
                $3 = (unsigned long)n -> l4
              l4 @4:9
                [$3 <= 2305843009213693951] -> l5
                [$3 > 2305843009213693951] -> l46
              l5 @4:9
                $4 = $3 -> l6
              l6 @4:7
                a = alloca($4 * 4) @in0 -> l7
              l7 @4:3
                $6 = (unsigned long)n -> l8
              l8 @4:15
                [$6 <= 2305843009213693951] -> l9
                [$6 > 2305843009213693951] -> l44
              l9 @4:15
                $7 = $6 -> l10
              l10 @4:18
                $8 = (unsigned long)m -> l11
              l11 @4:18
                [$8 <= 2305843009213693951] -> l12
                [$8 > 2305843009213693951] -> l42
              l12 @4:18
                $9 = $8 -> l13
              l13 @4:15
                [$9 == 0 || $7 <= 2305843009213693951 / $9] -> l14
                [!($9 == 0 || $7 <= 2305843009213693951 / $9)] -> l40
              l14 @4:15
                $10 = $7 * $9 -> l15
              l15 @4:13
                b = alloca($10 * 4) @in1 -> l16
              l16 @4:3
                $12 = (unsigned long)m -> l17
              l17 @4:27
                [$12 <= 2305843009213693951] -> l18
                [$12 > 2305843009213693951] -> l38
              l18 @4:27
                $13 = $12 -> l19
              l19 @4:24
                q = b -> l20
              l20 @5:3
                n = 5 -> l21
              l21 @6:3
                *(a + 1) = 2 -> l22
              l22 @7:3
                *(b + (long)(1 * $9) + 2) = *(a + 1) -> l23
              l23 @8:3
                q = q + (long)(1 * $13) -> l24
              l24 @9:3
                $15 = (unsigned long)n -> l25
              l25 @9:19
                [$15 <= 2305843009213693951] -> l26
                [$15 > 2305843009213693951] -> l36
              l26 @9:19
                $16 = $15 -> l27
              l27 @10:3
                r = alloca($16 * 4) @in2 -> l28
              l28 @11:3
                $18 = $4 * 4 + $16 * 4 + (unsigned long)((q - b) / (long)$13) -> l29
              l29 @11:43
                $19 = f(3, 4, b) -> l30
              l30 @11:85
                $20 = (unsigned long)(n + 1) -> l31
              l31 @11:85
                [$20 <= 2305843009213693951] -> l32
                [$20 > 2305843009213693951] -> l34
              l32 @11:85
                $21 = $20 -> l33
              l33 @11:3
                return (int)($18 + (unsigned long)$19 + (unsigned long)*(b + (long)(1 * $9) + 2) + $21 * 4) -> l1
              l34 @11:85
                __builtin_unreachable() -> l35
              l35 @11:85
              l36 @9:19
                __builtin_unreachable() -> l37
              l37 @9:19
              l38 @4:27
                __builtin_unreachable() -> l39
              l39 @4:27
              l40 @4:15
                __builtin_unreachable() -> l41
              l41 @4:15
              l42 @4:18
                __builtin_unreachable() -> l43
              l43 @4:18
              l44 @4:15
                __builtin_unreachable() -> l45
              l45 @4:15
              l46 @4:9
                __builtin_unreachable() -> l47
              l47 @4:9
        "#]],
    );
}
