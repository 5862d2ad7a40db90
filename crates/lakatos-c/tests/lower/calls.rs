//! Calls: direct, through pointers, of functions known by name.

use expect_test::expect;

use crate::{check, check_main, lower};

#[test]
fn results_go_where_they_are_wanted() {
    check_main(
        "int f(int x) { return x; } void g(void) {} int x, a[2], i; long l; int __VERIFIER_nondet_int(void);",
        "f(1); x = f(2); l = f(3); a[i] = f(4); a[i] = __VERIFIER_nondet_int(); a[i++] = f(i); int y = f(f(5)); g(); return f(6);",
        expect![[r#"
            temp int $1
            temp int $2
            temp int $3
            local int y
            temp int $5
            temp int $6
            l0 entry
            f(1) -> l2
            l1 exit
            l2
            x = f(2) -> l3
            l3
            $1 = f(3) -> l4
            l4
            l = (long)$1 -> l5
            l5
            $2 = i -> l6
            l6
            a[$2] = f(4) -> l7
            l7
            a[i] = __VERIFIER_nondet_int() @in0 -> l8
            l8
            $3 = i -> l9
            l9
            i = $3 + 1 -> l10
            l10
            a[$3] = f(i) -> l11
            l11
            $5 = f(5) -> l12
            l12
            y = f($5) -> l13
            l13
            g() -> l14
            l14
            $6 = f(6) -> l15
            l15
            return $6 -> l1
            t.c:1:189: Warning: `i` is changed in one operand and used in another, and C leaves their order open; it is evaluated left to right here
        "#]],
    );
}

#[test]
fn function_pointers() {
    check(
        "int f(int x) { return x; }
int unused(int x) { return x; }
int (*p)(int) = f;
int (*table[2])(int) = { f, &f };
int main(void) { p = f; f(1); (*f)(2); (&f)(3); return p(4) + (*p)(5) + table[1](6) + p(p == f); }",
        expect![[r#"
            int (*p)(int)
            int (*table[2])(int)
            in0: external int a function pointer in main @5:56
            in1: external int a function pointer in main @5:63
            in2: external int a function pointer in main @5:73
            in3: external int a function pointer in main @5:87

            int f(int x), address taken
              l0 entry @1:16
                return x -> l1
              l1 exit @1:26

            int unused(int x)
              l0 entry @2:21
                return x -> l1
              l1 exit @2:31

            int main(void)
                temp int $1
                temp int $2
                temp int $3
                temp int $4
                temp int $5
                temp int $6
              l0 entry @5:18
                p = f -> l2
              l1 exit @5:98
              l2 @5:25
                f(1) -> l3
              l3 @5:31
                f(2) -> l4
              l4 @5:40
                f(3) -> l5
              l5 @5:49
                $1 = p(4) @in0 -> l6
              l6 @5:63
                $2 = p(5) @in1 -> l7
              l7 @5:56
                $3 = $1 + $2 -> l8
              l8 @5:73
                $4 = table[1](6) @in2 -> l9
              l9 @5:56
                $5 = $3 + $4 -> l10
              l10 @5:87
                $6 = p((int)(p == f)) @in3 -> l11
              l11 @5:49
                return $5 + $6 -> l1
            t.c:5:56: Warning: a call changes what another operand uses, and C leaves their order open; it is evaluated left to right here
        "#]],
    );
}

#[test]
fn records_by_value() {
    check(
        "struct s { int a, b; };
struct s make(int x) { struct s r = { x, 1 }; return r; }
int sum(struct s s) { s.a += s.b; return s.a; }
int main(void) { struct s t = make(1); t = make(2); return sum(t) + sum(make(3)) + make(4).b; }",
        expect![[r#"
            struct s, 8 bytes, aligned to 4
                0: int a
                4: int b

            struct s make(int x)
                local struct s r
              l0 entry @2:24
                r = {0} -> l2
              l1 exit @2:57
              l2 @2:39
                r.a = x -> l3
              l3 @2:42
                r.b = 1 -> l4
              l4 @2:47
                return r -> l1

            int sum(struct s s)
              l0 entry @3:23
                s.a = s.a + s.b -> l2
              l1 exit @3:47
              l2 @3:35
                return s.a -> l1

            int main(void)
                local struct s t
                temp int $2
                temp struct s $3
                temp int $4
                temp int $5
                temp struct s $6
              l0 entry @4:18
                t = make(1) -> l2
              l1 exit @4:95
              l2 @4:40
                t = make(2) -> l3
              l3 @4:53
                $2 = sum(t) -> l4
              l4 @4:73
                $3 = make(3) -> l5
              l5 @4:69
                $4 = sum($3) -> l6
              l6 @4:60
                $5 = $2 + $4 -> l7
              l7 @4:84
                $6 = make(4) -> l8
              l8 @4:53
                return $5 + $6.b -> l1
        "#]],
    );
}

#[test]
fn verifier_functions() {
    check(
        "extern int __VERIFIER_nondet_int(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int); extern void reach_error(void); extern _Bool __VERIFIER_nondet_bool(void);
void assume_abort_if_not(int c) { extern void abort(void); if (!c) { abort(); } }
int main(void) {
  int x = __VERIFIER_nondet_int(); unsigned y = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(x > 3 && y);
  __VERIFIER_nondet_int();
  if (__VERIFIER_nondet_bool()) { reach_error(); x = 1; }
  assume_abort_if_not(x < 9);
  __VERIFIER_assume(0);
  return 0;
}",
        expect![[r#"
            in0: nondet int __VERIFIER_nondet_int in main @5:11
            in1: nondet unsigned char __VERIFIER_nondet_uchar in main @5:49
            in2: nondet int __VERIFIER_nondet_int in main @7:3
            in3: nondet _Bool __VERIFIER_nondet_bool in main @8:7

            void assume_abort_if_not(int c)
              l0 entry @3:60
                [c != 0] -> l2
                [c == 0] -> l3
              l1 exit @3:81
              l2 @3:81
                return -> l1
              l3 @3:70
                abort() -> l4
              l4 @3:70

            int main(void)
                local int x
                local unsigned int y
                temp unsigned char $3
                temp int $4
                temp _Bool $5
              l0 entry @5:3
                x = __VERIFIER_nondet_int() @in0 -> l2
              l1 exit @12:1
              l2 @5:36
                $3 = __VERIFIER_nondet_uchar() @in1 -> l3
              l3 @5:45
                y = (unsigned int)$3 -> l4
              l4 @6:3
                [x > 3 && y != 0] -> l5
              l5 @7:3
                $4 = __VERIFIER_nondet_int() @in2 -> l6
              l6 @8:3
                $5 = __VERIFIER_nondet_bool() @in3 -> l7
              l7 @8:7
                [$5] -> l8
                [!$5] -> l10
              l8 @8:35
                reach_error() -> l9
              l9 @8:35
              l10 @9:3
                assume_abort_if_not((int)(x < 9)) -> l11
              l11 @10:3
                [0] -> l12
              l12 @10:21

            extern void reach_error(void), error
        "#]],
    );
}

#[test]
fn assertions() {
    check_main(
        "",
        "int x = 1; assert(x == 1); return 0;",
        expect![[r#"
        local int x
        l0 entry
        x = 1 -> l2
        l1 exit
        l2
        [x == 1] -> l3
        [x != 1] -> l4
        l3
        return 0 -> l1
        l4
        __assert_fail() -> l5
        l5
        t.c:1:30: Warning: `assert` is called but not declared
    "#]],
    );
    check(
        "void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
int main(void) { int x = 1; if (x) ; else __assert_fail(\"x\", \"t.c\", 2, \"main\"); return 0; }",
        expect![[r#"
            literal char "x"[2], address taken
            literal char "t.c"[4], address taken
            literal char "main"[5], address taken

            int main(void)
                local int x
              l0 entry @2:18
                x = 1 -> l2
              l1 exit @2:91
              l2 @2:29
                [x != 0] -> l3
                [x == 0] -> l4
              l3 @2:81
                return 0 -> l1
              l4 @2:43
                __assert_fail(&"x"[0], &"t.c"[0], 2, &"main"[0]) -> l5
              l5 @2:43

            extern void __assert_fail(char *, char *, unsigned int, char *), error
        "#]],
    );
    check(
        "void reach_error(void) { } void __VERIFIER_assert(int c) { if (!c) reach_error(); }
int main(void) { __VERIFIER_assert(1 == 2); return 0; }",
        expect![[r#"
            void reach_error(void), error
              l0 entry @1:26
                return -> l1
              l1 exit @1:26

            void __VERIFIER_assert(int c)
              l0 entry @1:60
                [c != 0] -> l3
                [c == 0] -> l2
              l1 exit @1:83
              l2 @1:68
                reach_error() -> l3
              l3 @1:83
                return -> l1

            int main(void)
              l0 entry @2:18
                __VERIFIER_assert((int)(1 == 2)) -> l2
              l1 exit @2:55
              l2 @2:45
                return 0 -> l1
        "#]],
    );
}

#[test]
fn library_functions() {
    check_main(
        "typedef unsigned long size_t; void *malloc(size_t), *memcpy(void *, const void *, size_t), free(void *); size_t strlen(const char *);
         int printf(const char *, ...), puts(const char *); void exit(int), abort(void);",
        "int *p = malloc(4 * sizeof(int)); memcpy(p, p, 4); int n = strlen(\"abc\"); printf(\"%d\", n); puts(\"x\"); free(p); if (n) exit(n); abort(); return n;",
        expect![[r#"
            local int *p
            temp void *$2
            local int n
            temp unsigned long $5
            l0 entry
            $2 = malloc(4UL * 4UL) @in0 -> l2
            l1 exit
            l2
            p = (int *)$2 -> l3
            l3
            memcpy((void *)p, (void *)p, 4) -> l4
            l4
            $5 = strlen(&"abc"[0]) -> l5
            l5
            n = (int)$5 -> l6
            l6
            printf(&"%d"[0], n) -> l7
            l7
            puts(&"x"[0]) -> l8
            l8
            free((void *)p) -> l9
            l9
            [n != 0] -> l10
            [n == 0] -> l12
            l10
            exit(n) -> l11
            l11
            l12
            abort() -> l13
            l13
        "#]],
    );
    // Of another shape: an unknown function.
    check_main(
        "int malloc(char);",
        "return malloc('x');",
        expect![[r#"
            t.c:1:43: Unsupported: a call of the library's `malloc` that is declared with another result
        "#]],
    );
    check_main(
        "void *malloc();",
        "return malloc(3) != malloc(3, 4);",
        expect![[r#"
            temp void *$1
            temp void *$2
            l0 entry
            $1 = malloc(3) @in0 -> l2
            l1 exit
            l2
            $2 = malloc(3) @in1 -> l3
            l3
            return (int)($1 != $2) -> l1
        "#]],
    );
    // Defined here: what the file says.
    check_main(
        "void abort(void) { }",
        "abort(); return 1;",
        expect![[r#"
        l0 entry
        abort() -> l2
        l1 exit
        l2
        return 1 -> l1
    "#]],
    );
}

#[test]
fn external_functions() {
    check_main(
        "int ext(int *); void gone(void) __attribute__((noreturn)); extern int unused(void);",
        "int x; x = ext(&x); ext(0); if (x) gone(); return x;",
        expect![[r#"
            local int x, address taken
            l0 entry
            x = ? @in0 -> l2
            l1 exit
            l2
            x = ext(&x) @in1 -> l3
            l3
            ext(NULL) @in2 -> l4
            l4
            [x != 0] -> l5
            [x == 0] -> l7
            l5
            gone() @in3 -> l6
            l6
            l7
            return x -> l1
            t.c:1:5: Warning: `ext` is declared but not defined: its result is any value, and it may change everything that other files can reach
            t.c:1:22: Warning: `gone` is declared but not defined: it may change everything that other files can reach
        "#]],
    );
}

#[test]
fn calls_without_prototype() {
    check_main(
        "int old(a, c) int a; char c; { return a + c; }",
        "return old(1, 300) + old(2, 'c', 3);",
        expect![[r#"
            temp int $1
            temp int $2
            l0 entry
            $1 = old(1, 44) -> l2
            l1 exit
            l2
            $2 = old(2, 99) -> l3
            l3
            return $1 + $2 -> l1
        "#]],
    );
    check_main(
        "int late();",
        "return late(1);",
        expect![[r#"
            temp int $1
            l0 entry
            $1 = late(1) @in0 -> l2
            l1 exit
            l2
            return $1 -> l1
            t.c:1:5: Warning: `late` is declared but not defined: its result is any value, and it may change everything that other files can reach
        "#]],
    );
}

#[test]
fn variadic_functions() {
    check_main(
        "int v(int n, ...) { return n; }",
        "return v(1) + v(2, 'c', 1.0f);",
        expect![[r#"
        temp int $1
        temp int $2
        l0 entry
        $1 = v(1) -> l2
        l1 exit
        l2
        $2 = v(2, 99, 1.0) -> l3
        l3
        return $1 + $2 -> l1
    "#]],
    );
}

/// Operands of which one may not be evaluated, as the other does not come back.
#[test]
fn calls_that_may_not_come_back() {
    const HEAD: &str = "void exit(int); void longjmp(long *, int); int _setjmp(long *); long env[25];
int n; int fails(int *p) { return *p; } int ends(void) { if (n) exit(1); return 0; }
int spins(void) { for (;;) if (n) n++; } int maybe(void) { while (n) { if (n == 3) for (;;); n--; } return 1; }
int again(int x) { return x ? again(x) : again(x + 1); } int odd(int); int even(int x) { return odd(x); }
int odd(int x) { return even(x); } int count(void) { int s = 0; while (1) { if (s > n) break; s++; } return s; }
int counts(int x) { return x ? counts(x - 1) : 0; } int stops(void) { __builtin_unreachable(); }
int jumps(void) { if (n) longjmp(env, 1); return 2; }
int (*pointer)(void) = ends;
";
    let warns = |sum: &str| {
        let text = format!("{HEAD}int main(void) {{ _setjmp(env); return {sum}; }}");
        let program = lower(&text).unwrap_or_else(|why| panic!("{sum}\n{why}"));
        program.warnings.iter().any(|w| w.message.starts_with("a call may not come back"))
    };
    for (operand, expected) in [
        ("ends()", true),
        ("spins()", true),
        ("maybe()", true),
        ("again(0)", true),
        ("even(1)", true),
        ("jumps()", true),
        ("pointer()", true),
        ("count()", false),
        ("counts(3)", false),
        ("n", false),
    ] {
        assert_eq!(warns(&format!("{operand} + fails(0)")), expected, "{operand}");
        assert_eq!(warns(&format!("fails(0) + {operand}")), expected, "{operand}");
    }
}
