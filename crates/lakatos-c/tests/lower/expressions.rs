//! Expressions: order, temporaries, truth values, conversions.

use expect_test::expect;

use crate::{check_main, check_warnings};

#[test]
fn pure_conditions_are_one_pair_of_edges() {
    check_main(
        "int a, b, c;",
        "if (a && b || c == 1) a = 2; return 0;",
        expect![[r#"
        l0 entry
        [(a != 0 && b != 0) || c == 1] -> l2
        [!((a != 0 && b != 0) || c == 1)] -> l3
        l1 exit
        l2
        a = 2 -> l3
        l3
        return 0 -> l1
    "#]],
    );
}

#[test]
fn conditions_with_side_effects_are_control_flow() {
    check_main(
        "int a; int f(int x) { return x; }",
        "if (a && f(1) || a++) a = 2; return 0;",
        expect![[r#"
            temp int $1
            temp int $2
            l0 entry
            [a != 0] -> l2
            [a == 0] -> l4
            l1 exit
            l2
            $1 = f(1) -> l3
            l3
            [$1 != 0] -> l7
            [$1 == 0] -> l4
            l4
            $2 = a -> l5
            l5
            a = $2 + 1 -> l6
            l6
            [$2 != 0] -> l7
            [$2 == 0] -> l8
            l7
            a = 2 -> l8
            l8
            return 0 -> l1
        "#]],
    );
}

#[test]
fn comparisons_are_not_compared_with_zero() {
    check_main(
        "int a, b; _Bool t; double d; int *p;",
        "if ((a < b) != 0) a = 1; if (!(a < b)) a = 2; if (!!a) a = 3; if (!(d < 1.0)) a = 4;
         if (p) a = 5; if (!p) a = 6; t = a; t = a < b; a = a == b; a = !p; if ((long)a) a = 7;
         if ((char)a) a = 8; return t;",
        expect![[r#"
            l0 entry
            [a < b] -> l2
            [a >= b] -> l3
            l1 exit
            l2
            a = 1 -> l3
            l3
            [a < b] -> l5
            [a >= b] -> l4
            l4
            a = 2 -> l5
            l5
            [a != 0] -> l6
            [a == 0] -> l7
            l6
            a = 3 -> l7
            l7
            [d < 1.0] -> l9
            [!(d < 1.0)] -> l8
            l8
            a = 4 -> l9
            l9
            [p != NULL] -> l10
            [p == NULL] -> l11
            l10
            a = 5 -> l11
            l11
            [p != NULL] -> l13
            [p == NULL] -> l12
            l12
            a = 6 -> l13
            l13
            t = a != 0 -> l14
            l14
            t = a < b -> l15
            l15
            a = (int)(a == b) -> l16
            l16
            a = (int)(p == NULL) -> l17
            l17
            [a != 0] -> l18
            [a == 0] -> l19
            l18
            a = 7 -> l19
            l19
            [(char)a != 0] -> l20
            [(char)a == 0] -> l21
            l20
            a = 8 -> l21
            l21
            return (int)t -> l1
        "#]],
    );
}

#[test]
fn earlier_operands_are_saved_from_later_effects() {
    check_main(
        "int x, i, a[9]; int f(int p, int q) { return p; }",
        "x = x + x++; a[i] = i++; f(x, x = 2); x = f(1, 2) + f(3, 4); x = a[i] + f(i, 5); x += f(1, 1); a[i] += i++;
         return 0;",
        expect![[r#"
            temp int $1
            temp int $2
            temp int $3
            temp int $4
            temp int $5
            temp int $6
            temp int $7
            temp int $8
            temp int $9
            temp int $10
            temp int $11
            temp int $12
            l0 entry
            $1 = x -> l2
            l1 exit
            l2
            $2 = x -> l3
            l3
            x = $2 + 1 -> l4
            l4
            x = $1 + $2 -> l5
            l5
            $3 = i -> l6
            l6
            $4 = i -> l7
            l7
            i = $4 + 1 -> l8
            l8
            a[$3] = $4 -> l9
            l9
            $5 = x -> l10
            l10
            x = 2 -> l11
            l11
            f($5, x) -> l12
            l12
            $6 = f(1, 2) -> l13
            l13
            $7 = f(3, 4) -> l14
            l14
            x = $6 + $7 -> l15
            l15
            $8 = a[i] -> l16
            l16
            $9 = f(i, 5) -> l17
            l17
            x = $8 + $9 -> l18
            l18
            $10 = f(1, 1) -> l19
            l19
            x = x + $10 -> l20
            l20
            $11 = i -> l21
            l21
            $12 = i -> l22
            l22
            i = $12 + 1 -> l23
            l23
            a[$11] = a[$11] + $12 -> l24
            l24
            return 0 -> l1
            t.c:1:68: Warning: `x` is changed in one operand and used in another, and C leaves their order open; it is evaluated left to right here
            t.c:1:81: Warning: `i` is changed in one operand and used in another, and C leaves their order open; it is evaluated left to right here
            t.c:1:93: Warning: `x` is changed in one operand and used in another, and C leaves their order open; it is evaluated left to right here
            t.c:1:163: Warning: `i` is changed in one operand and used in another, and C leaves their order open; it is evaluated left to right here
        "#]],
    );
}

#[test]
fn calls_whose_order_matters_are_warned_about() {
    check_warnings(
        "int g, h; int a[3]; struct { int m; } s;
int next(void) { return g++; }
int other(void) { return h++; }
int get(void) { return g; }
int id(int x) { return x; }
void set(int *p) { *p = 1; }
int put(int *p) { *p = 1; return 2; }
int first(void) { return a[0]++ + s.m++; }
int deep(void) { return next(); }
int twice(int a, int b) { return a - b; }
int unused(void) { return next() - next(); }
int main(void) {
  int x = 0, y = 0, *q = &y;
  x = next() - next();
  x = next() - other();
  x = get() - get();
  x = get() - next();
  g += next();
  g = next();
  g = g + next();
  h += next();
  x = id(next()) - id(g);
  x = twice(next(), next());
  next() && next();
  x = next() ? g : deep();
  x = (next(), next());
  x = put(&x) + x;
  x = put(&x) + g;
  x = *q + put(q);
  x = a[1] + first();
  x = s.m + first();
  x = a[next()] + deep();
  a[next()] = other();
  a[next()] = deep();
  set(&x);
  return x;
}",
        expect![[r#"
            t.c:14:7: Warning: a call changes what another operand uses, and C leaves their order open; it is evaluated left to right here
            t.c:17:7: Warning: a call changes what another operand uses, and C leaves their order open; it is evaluated left to right here
            t.c:20:7: Warning: a call changes what another operand uses, and C leaves their order open; it is evaluated left to right here
            t.c:22:7: Warning: a call changes what another operand uses, and C leaves their order open; it is evaluated left to right here
            t.c:23:7: Warning: a call changes what another operand uses, and C leaves their order open; it is evaluated left to right here
            t.c:27:7: Warning: a call changes what another operand uses, and C leaves their order open; it is evaluated left to right here
            t.c:29:7: Warning: a call changes what another operand uses, and C leaves their order open; it is evaluated left to right here
            t.c:30:7: Warning: a call changes what another operand uses, and C leaves their order open; it is evaluated left to right here
            t.c:31:7: Warning: a call changes what another operand uses, and C leaves their order open; it is evaluated left to right here
            t.c:32:7: Warning: a call changes what another operand uses, and C leaves their order open; it is evaluated left to right here
            t.c:34:3: Warning: a call changes what another operand uses, and C leaves their order open; it is evaluated left to right here
        "#]],
    );
}

#[test]
fn unsequenced_conflicts_are_warned_about() {
    check_warnings(
        "int f(int a, int b) { return a; }
int main(void) {
  int x = 0, y = 0, a[3] = {0}, i = 0;
  x = x++;
  x = x + 1;
  x++ && x++;
  y = x++ ? x : x--;
  x++, x++;
  y = (x++, 1) + x;
  f(x++, x);
  f(x++, y++);
  x = f(x++, 0);
  a[i] = i++;
  a[i++] = i;
  x += x++;
  x = (x = 2);
  y = x = 3;
  x = (x++, 5);
  return f(y++, 1) + y;
}",
        expect![[r#"
            t.c:4:3: Warning: `x` is changed in one operand and used in another, and C leaves their order open; it is evaluated left to right here
            t.c:9:7: Warning: `x` is changed in one operand and used in another, and C leaves their order open; it is evaluated left to right here
            t.c:10:3: Warning: `x` is changed in one operand and used in another, and C leaves their order open; it is evaluated left to right here
            t.c:13:3: Warning: `i` is changed in one operand and used in another, and C leaves their order open; it is evaluated left to right here
            t.c:14:3: Warning: `i` is changed in one operand and used in another, and C leaves their order open; it is evaluated left to right here
            t.c:15:3: Warning: `x` is changed in one operand and used in another, and C leaves their order open; it is evaluated left to right here
            t.c:16:3: Warning: `x` is changed in one operand and used in another, and C leaves their order open; it is evaluated left to right here
            t.c:19:10: Warning: `y` is changed in one operand and used in another, and C leaves their order open; it is evaluated left to right here
        "#]],
    );
}

#[test]
fn lazy_operators_stay_in_the_expression() {
    check_main(
        "int a, b, *p;",
        "a = b ? *p : b; a = p && *p > 2; a = 1 ? a : b; a = 0 && *p; a = (b ? p : 0) != 0; return a || b;",
        expect![[r#"
            l0 entry
            a = b != 0 ? *p : b -> l2
            l1 exit
            l2
            a = (int)(p != NULL && *p > 2) -> l3
            l3
            a = a -> l4
            l4
            a = 0 -> l5
            l5
            a = (int)((b != 0 ? p : NULL) != NULL) -> l6
            l6
            return (int)(a != 0 || b != 0) -> l1
        "#]],
    );
}

#[test]
fn choices_with_side_effects_are_control_flow() {
    check_main(
        "int a, b; int f(int x) { return x; } struct s { int x; } s, t;",
        "a = b ? f(1) : 2; a = b ?: f(3); a = f(4) ?: b; b ? f(5) : f(6); s = b ? s : t; (void)(a && f(7)); return 0;",
        expect![[r#"
            temp int $1
            temp int $2
            temp int $3
            temp int $4
            temp int $5
            temp struct s $6
            l0 entry
            [b != 0] -> l2
            [b == 0] -> l3
            l1 exit
            l2
            $1 = f(1) -> l4
            l3
            $1 = 2 -> l4
            l4
            a = $1 -> l5
            l5
            $2 = b -> l6
            l6
            [$2 != 0] -> l7
            [$2 == 0] -> l8
            l7
            $3 = $2 -> l10
            l8
            $4 = f(3) -> l9
            l9
            $3 = $4 -> l10
            l10
            a = $3 -> l11
            l11
            $5 = f(4) -> l12
            l12
            a = $5 != 0 ? $5 : b -> l13
            l13
            [b != 0] -> l14
            [b == 0] -> l15
            l14
            f(5) -> l16
            l15
            f(6) -> l16
            l16
            [b != 0] -> l17
            [b == 0] -> l18
            l17
            $6 = s -> l19
            l18
            $6 = t -> l19
            l19
            s = $6 -> l20
            l20
            [a != 0] -> l21
            [a == 0] -> l22
            l21
            f(7) -> l22
            l22
            return 0 -> l1
        "#]],
    );
}

#[test]
fn conversions() {
    check_main(
        "char c; short s; int i; unsigned u; long l; _Bool b; int *p; char *q; float f; double d;",
        "l = 5; c = 300; u = -1; i = u; l = u; u = l; s = i; b = 2; b = i; i = b; p = 0; q = (char *)p; p = (int *)q;
         l = (long)p; p = (int *)l; i = c + s; d = 1; f = i; i = d; l = i < 3; return 'a';",
        expect![[r#"
            l0 entry
            l = 5 -> l2
            l1 exit
            l2
            c = 44 -> l3
            l3
            u = 4294967295U -> l4
            l4
            i = (int)u -> l5
            l5
            l = (long)u -> l6
            l6
            u = (unsigned int)l -> l7
            l7
            s = (short)i -> l8
            l8
            b = 1 -> l9
            l9
            b = i != 0 -> l10
            l10
            i = (int)b -> l11
            l11
            p = NULL -> l12
            l12
            q = (char *)p -> l13
            l13
            p = (int *)q -> l14
            l14
            l = (long)p -> l15
            l15
            p = (int *)l -> l16
            l16
            i = (int)c + (int)s -> l17
            l17
            d = 1.0 -> l18
            l18
            f = (float)i -> l19
            l19
            i = (int)d -> l20
            l20
            l = (long)(i < 3) -> l21
            l21
            return 97 -> l1
        "#]],
    );
}

#[test]
fn values_that_are_not_used() {
    check_main(
        "int a, b, *p;",
        "a; a + b; a / b; *p; a < b; (void)p; (char)a; -a; 1, a; sizeof(a); return 0;",
        expect![[r#"
            temp int $1
            temp int $2
            temp int $3
            temp int $4
            l0 entry
            $1 = a + b -> l2
            l1 exit
            l2
            $2 = a / b -> l3
            l3
            $3 = *p -> l4
            l4
            $4 = -a -> l5
            l5
            return 0 -> l1
        "#]],
    );
}

#[test]
fn deep_expressions_are_cut() {
    let sum = vec!["x"; 1000].join(" + ");
    let all = (0..1000).map(|i| format!("x != {i}")).collect::<Vec<_>>().join(" && ");
    let nested = format!("{}x{}", "a[".repeat(200), "]".repeat(200));
    for text in [&sum, &all, &nested, &format!("y && {nested}")] {
        let input = format!(
            "int x, y, a[9]; int main(void) {{ y = {text}; if ({text}) y = 1; return 0; }}"
        );
        crate::lower(&input).expect("a program");
    }
}

#[test]
fn statement_expressions_and_compound_literals() {
    check_main(
        "struct s { int a, b; }; int x, *p; int f(int q) { return q; }",
        "x = ({ int t = f(1); t + 1; }); x = ({ x; }); ({ x = 1; }); x = ({ struct s s = {1, 2}; s; }).b;
         p = (int[]){1, x}; x = ((struct s){ .b = 3 }).a; x = sizeof(({ x; })); return 0;",
        expect![[r#"
            local int t
            temp int $2
            local struct s s
            temp struct s $4
            local int $5[2], address taken
            local struct s $6
            l0 entry
            t = f(1) -> l2
            l1 exit
            l2
            $2 = t + 1 -> l3
            l3
            x = $2 -> l4
            l4
            x = x -> l5
            l5
            x = 1 -> l6
            l6
            s = {0} -> l7
            l7
            s.a = 1 -> l8
            l8
            s.b = 2 -> l9
            l9
            $4 = s -> l10
            l10
            end of s -> l11
            l11
            x = $4.b -> l12
            l12
            $5 = {0} -> l13
            l13
            $5[0] = 1 -> l14
            l14
            $5[1] = x -> l15
            l15
            p = &$5[0] -> l16
            l16
            $6 = {0} -> l17
            l17
            $6.b = 3 -> l18
            l18
            x = $6.a -> l19
            l19
            x = 4 -> l20
            l20
            return 0 -> l1
        "#]],
    );
}

#[test]
fn compiler_built_ins() {
    check_main(
        "int x, r; long l; unsigned char c; unsigned short h; unsigned u;",
        "if (__builtin_add_overflow(x, 1, &r)) x = 2; x = __builtin_mul_overflow(x, u, &c); x = __builtin_sub_overflow(u, l, &l);
         h = __builtin_bswap16(h); x = __builtin_clz(u) + __builtin_popcount(u); x = __builtin_expect(x, 1); __sync_synchronize(); p: if (x) __builtin_trap(); if (u) __builtin_unreachable();
         return 0;",
        expect![[r#"
            temp _Bool $1
            temp _Bool $2
            temp _Bool $3
            temp unsigned short $4
            temp int $5
            temp int $6
            l0 entry
            $1 = overflows(x + 1, int) -> l2
            l1 exit
            l2
            *&r = (int)((unsigned int)x + 1) -> l3
            l3
            [$1] -> l4
            [!$1] -> l5
            l4
            x = 2 -> l5
            l5
            $2 = overflows((long)x * (long)u, unsigned char) -> l6
            l6
            *&c = (unsigned char)x * (unsigned char)u -> l7
            l7
            x = (int)$2 -> l8
            l8
            $3 = overflows((long)u - l, long) -> l9
            l9
            *&l = (long)((unsigned long)u - (unsigned long)l) -> l10
            l10
            x = (int)$3 -> l11
            l11
            $4 = h -> l12
            l12
            h = (($4 & 255U) << 8) | (($4 & 65280U) >> 8) -> l13
            l13
            $5 = __builtin_clz(u) -> l14
            l14
            $6 = __builtin_popcount(u) -> l15
            l15
            x = $5 + $6 -> l16
            l16
            x = (int)(long)x -> l17
            l17 p:
            [x != 0] -> l18
            [x == 0] -> l20
            l18
            abort() -> l19
            l19
            l20
            [u != 0] -> l21
            [u == 0] -> l23
            l21
            __builtin_unreachable() -> l22
            l22
            l23
            return 0 -> l1
        "#]],
    );
}
