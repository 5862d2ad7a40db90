//! Statements: loops, jumps, scopes, `switch`.

use expect_test::expect;

use crate::{check, check_main};

#[test]
fn loops() {
    check_main(
        "int i, s;",
        "for (i = 0; i < 9; i++) { if (i == 3) continue; if (i == 5) break; s += i; } return s;",
        expect![[r#"
            l0 entry
            i = 0 -> l2
            l1 exit
            l2
            [i < 9] -> l3
            [i >= 9] -> l7
            l3
            [i == 3] -> l6
            [i != 3] -> l4
            l4
            [i == 5] -> l7
            [i != 5] -> l5
            l5
            s = s + i -> l6
            l6
            i = i + 1 -> l2
            l7
            return s -> l1
        "#]],
    );
    check_main(
        "int i;",
        "while (i < 9) i++; do i--; while (i > 0); for (;;) { if (i) break; i++; } return 0;",
        expect![[r#"
            l0 entry
            skip -> l2
            l1 exit
            l2
            [i < 9] -> l3
            [i >= 9] -> l4
            l3
            i = i + 1 -> l2
            l4
            i = i - 1 -> l5
            l5
            [i > 0] -> l4
            [i <= 0] -> l6
            l6
            [i != 0] -> l7
            [i == 0] -> l8
            l7
            return 0 -> l1
            l8
            i = i + 1 -> l6
        "#]],
    );
}

#[test]
fn loops_share_no_head() {
    check_main(
        "int i, j;",
        "while (1) { while (i < 3) i++; if (j) break; } return 0;",
        expect![[r#"
            l0 entry
            skip -> l2
            l1 exit
            l2
            skip -> l3
            l3
            [i < 3] -> l4
            [i >= 3] -> l5
            l4
            i = i + 1 -> l3
            l5
            [j != 0] -> l6
            [j == 0] -> l2
            l6
            return 0 -> l1
        "#]],
    );
    check_main(
        "",
        "while (1); return 0;",
        expect![[r#"
        l0 entry
        skip -> l2
        l1 exit
        l2
        skip -> l2
    "#]],
    );
    check_main(
        "",
        "L: goto L;",
        expect![[r#"
        l0 entry
        skip -> l2
        l1 exit
        l2 L:
        skip -> l2
    "#]],
    );
}

#[test]
fn else_if_chains() {
    check_main(
        "int x;",
        "if (x == 1) x = 2; else if (x == 3) x = 4; else x = 5; if (x) ; else x = 6; return x;",
        expect![[r#"
            l0 entry
            [x == 1] -> l2
            [x != 1] -> l3
            l1 exit
            l2
            x = 2 -> l6
            l3
            [x == 3] -> l4
            [x != 3] -> l5
            l4
            x = 4 -> l6
            l5
            x = 5 -> l6
            l6
            [x != 0] -> l8
            [x == 0] -> l7
            l7
            x = 6 -> l8
            l8
            return x -> l1
        "#]],
    );
}

#[test]
fn constant_conditions_decide() {
    check_main(
        "int x;",
        "if (0) x = 1; else x = 2; if (1) x = 3; while (0) x = 4; do x = 5; while (0); return x;",
        expect![[r#"
            l0 entry
            x = 2 -> l2
            l1 exit
            l2
            x = 3 -> l3
            l3
            skip -> l4
            l4
            x = 5 -> l5
            l5
            return x -> l1
        "#]],
    );
}

#[test]
fn dead_code_is_gone_unless_a_label_is_in_it() {
    check_main(
        "int x;",
        "return 1; x = 2; while (x) x--; return 3;",
        expect![[r#"
        l0 entry
        return 1 -> l1
        l1 exit
    "#]],
    );
    check_main(
        "int x;",
        "goto in; while (x) { x = 1; in: x = 2; } return 0; x = 3; unused: x = 4;",
        expect![[r#"
            l0 entry
            skip -> l2
            l1 exit
            l2 in:
            x = 2 -> l3
            l3
            [x != 0] -> l4
            [x == 0] -> l5
            l4
            x = 1 -> l2
            l5
            return 0 -> l1
        "#]],
    );
}

#[test]
fn switches() {
    check_main(
        "int x, y;",
        "switch (x) { y = 0; case 1: y = 1; case 2: y = 2; break; default: y = 3; case 4 ... 6: { y = 4; case 9: y = 9; } } return y;",
        expect![[r#"
            l0 entry
            [x == 1] -> l2
            [x == 2] -> l3
            [x >= 4 && x <= 6] -> l5
            [x == 9] -> l6
            [x != 1 && x != 2 && (x < 4 || x > 6) && x != 9] -> l4
            l1 exit
            l2
            y = 1 -> l3
            l3
            y = 2 -> l7
            l4
            y = 3 -> l5
            l5
            y = 4 -> l6
            l6
            y = 9 -> l7
            l7
            return y -> l1
        "#]],
    );
    check_main(
        "int x;",
        "switch (x++) { case 1: x = 5; } switch (x / 2) { case 1: x = 6; } switch (x) { default: x = 7; } switch (x) { } return 0;",
        expect![[r#"
            temp int $1
            temp int $2
            l0 entry
            $1 = x -> l2
            l1 exit
            l2
            x = $1 + 1 -> l3
            l3
            [$1 == 1] -> l4
            [$1 != 1] -> l5
            l4
            x = 5 -> l5
            l5
            $2 = x / 2 -> l6
            l6
            [$2 == 1] -> l7
            [$2 != 1] -> l8
            l7
            x = 6 -> l8
            l8
            x = 7 -> l9
            l9
            return 0 -> l1
        "#]],
    );
    check_main(
        "char c;",
        "switch (c) { case 'a': return 1; case -1: return 2; } return 0;",
        expect![[r#"
            l0 entry
            [(int)c == 97] -> l2
            [(int)c == -1] -> l3
            [(int)c != 97 && (int)c != -1] -> l4
            l1 exit
            l2
            return 1 -> l1
            l3
            return 2 -> l1
            l4
            return 0 -> l1
        "#]],
    );
}

#[test]
fn duffs_device() {
    check_main(
        "int n, s;",
        "switch (n % 2) { case 0: do { s++; case 1: s++; } while (--n > 0); } return s;",
        expect![[r#"
            temp int $1
            l0 entry
            $1 = n % 2 -> l2
            l1 exit
            l2
            [$1 == 0] -> l6
            [$1 == 1] -> l3
            [$1 != 0 && $1 != 1] -> l7
            l3
            s = s + 1 -> l4
            l4
            n = n - 1 -> l5
            l5
            [n > 0] -> l6
            [n <= 0] -> l7
            l6
            s = s + 1 -> l3
            l7
            return s -> l1
        "#]],
    );
}

#[test]
fn scopes_end() {
    check(
        "int *p;
int main(void) {
  for (int i = 0; i < 3; i++) {
    int x = 1;
    int scalar = 2;
    p = &x;
    if (i) continue;
    { int a[2]; a[0] = scalar; if (i == 2) goto out; if (i == 1) break; }
    scalar++;
  }
out:
  { struct { int a, b; } s; s.a = 1; return s.a; }
}",
        expect![[r#"
            struct anonymous_0, 8 bytes, aligned to 4
                0: int a
                4: int b
            int *p
            in0: uninitialised int [2] a in main @8:11
            in1: uninitialised struct anonymous_0 s in main @12:26

            int main(void)
                local int i
                local int x, address taken
                local int scalar
                local int a[2]
                local struct anonymous_0 s
              l0 entry @3:3
                i = 0 -> l2
              l1 exit @13:1
              l2 @3:3
                [i < 3] -> l3
                [i >= 3] -> l20
              l3 @4:5
                x = 1 -> l4
              l4 @5:5
                scalar = 2 -> l5
              l5 @6:5
                p = &x -> l6
              l6 @7:5
                [i != 0] -> l7
                [i == 0] -> l8
              l7 @7:12
                end of x -> l19
              l8 @8:7
                a = ? @in0 -> l9
              l9 @8:17
                a[0] = scalar -> l10
              l10 @8:32
                [i == 2] -> l11
                [i != 2] -> l13
              l11 @8:44
                end of a -> l12
              l12 @8:44
                end of x -> l20
              l13 @8:54
                [i == 1] -> l14
                [i != 1] -> l16
              l14 @8:66
                end of a -> l15
              l15 @8:66
                end of x -> l20
              l16 @8:73
                end of a -> l17
              l17 @9:5
                scalar = scalar + 1 -> l18
              l18 @10:3
                end of x -> l19
              l19 @3:26
                i = i + 1 -> l2
              l20 out: @12:5
                s = ? @in1 -> l21
              l21 @12:29
                s.a = 1 -> l22
              l22 @12:38
                return s.a -> l1
        "#]],
    );
}

#[test]
fn jumps_past_declarations() {
    check_main(
        "",
        "goto in; { int x = 1; int y; in: x++; y = x; return y; }",
        expect![[r#"
        local int x
        local int y
        l0 entry
        x = ? @in0 -> l2
        l1 exit
        l2
        y = ? @in1 -> l3
        l3 in:
        x = x + 1 -> l4
        l4
        y = x -> l5
        l5
        return y -> l1
    "#]],
    );
    check_main(
        "",
        "int i = 0; if (i) goto on; int z = 3; on: return z;",
        expect![[r#"
        local int i
        local int z
        l0 entry
        i = 0 -> l2
        l1 exit
        l2
        [i != 0] -> l3
        [i == 0] -> l4
        l3
        z = ? @in0 -> l5
        l4
        z = 3 -> l5
        l5 on:
        return z -> l1
    "#]],
    );
    check_main(
        "int x;",
        "switch (x) { int y; case 1: y = 1; return y; case 2: ; int z = 1; default: return z; }",
        expect![[r#"
            local int y
            local int z
            l0 entry
            [x == 1] -> l2
            [x == 2] -> l5
            [x != 1 && x != 2] -> l7
            l1 exit
            l2
            y = ? @in0 -> l3
            l3
            y = 1 -> l4
            l4
            return y -> l1
            l5
            y = ? @in1 -> l6
            l6
            z = 1 -> l9
            l7
            y = ? @in2 -> l8
            l8
            z = ? @in3 -> l9
            l9
            return z -> l1
        "#]],
    );
    check_main(
        "",
        "int i = 0; back: ; int x = i; if (i++ < 3) goto back; return x;",
        expect![[r#"
            local int i
            local int x
            temp int $3
            l0 entry
            i = 0 -> l2
            l1 exit
            l2 back:
            x = i -> l3
            l3
            $3 = i -> l4
            l4
            i = $3 + 1 -> l5
            l5
            [$3 < 3] -> l2
            [$3 >= 3] -> l6
            l6
            return x -> l1
        "#]],
    );
}

#[test]
fn declarations() {
    check_main(
        "struct s { int a; char t[4]; int z[2]; };",
        "int x; int y = y; int a[3]; int b[3] = {1}; struct s s = { .t = \"ab\", .a = x }; char t[] = \"xyz\"; struct s u = s; int (*f)(void) = 0;
         static int k = 4; extern int e; return k + e;",
        expect![[r#"
            local int x
            local int y
            local int a[3]
            local int b[3]
            local struct s s
            local char t[4]
            local struct s u
            local int (*f)(void)
            l0 entry
            x = ? @in0 -> l2
            l1 exit
            l2
            y = ? @in1 -> l3
            l3
            y = y -> l4
            l4
            a = ? @in2 -> l5
            l5
            b = {0} -> l6
            l6
            b[0] = 1 -> l7
            l7
            s = {0} -> l8
            l8
            s.a = x -> l9
            l9
            s.t = "ab" -> l10
            l10
            t = "xyz" -> l11
            l11
            u = s -> l12
            l12
            f = NULL -> l13
            l13
            return k + e -> l1
        "#]],
    );
}

#[test]
fn results_that_are_missing() {
    check(
        "int f(int x) { if (x) return 1; }
int g(int x) { if (x) return; return 2; }
void h(int x) { if (x) return; }
void v(void) { return h(1); }
int main(void) { f(1); g(1); v(); }",
        expect![[r#"
            in0: uninitialised int f in f @1:33
            in1: uninitialised int g in g @2:23

            int f(int x)
                temp int $1
              l0 entry @1:16
                [x != 0] -> l2
                [x == 0] -> l3
              l1 exit @1:33
              l2 @1:23
                return 1 -> l1
              l3 @1:33
                $1 = ? @in0 -> l4
              l4 @1:33
                return $1 -> l1

            int g(int x)
                temp int $1
              l0 entry @2:16
                [x != 0] -> l2
                [x == 0] -> l4
              l1 exit @2:41
              l2 @2:23
                $1 = ? @in1 -> l3
              l3 @2:23
                return $1 -> l1
              l4 @2:31
                return 2 -> l1

            void h(int x)
              l0 entry @3:17
                [x != 0] -> l2
                [x == 0] -> l3
              l1 exit @3:32
              l2 @3:24
                return -> l1
              l3 @3:32
                return -> l1

            void v(void)
              l0 entry @4:16
                h(1) -> l2
              l1 exit @4:29
              l2 @4:16
                return -> l1

            int main(void)
              l0 entry @5:18
                f(1) -> l2
              l1 exit @5:35
              l2 @5:24
                g(1) -> l3
              l3 @5:30
                v() -> l4
              l4 @5:35
                return 0 -> l1
            t.c:2:23: Warning: this function should return a value
        "#]],
    );
}

#[test]
fn assembly() {
    check_main(
        "int x, y;",
        "__asm__ volatile (\"mov %1, %0\" : \"=r\"(x) : \"r\"(y)); return x;",
        expect![[r#"
            temp int $1
            l0 entry
            $1 = y -> l2
            l1 exit
            l2
            x = asm() @in0 -> l3
            l3
            return x -> l1
            t.c:1:28: Warning: inline assembly: its outputs get any value, and it is assumed to change nothing else
        "#]],
    );
}

/// What a verdict rests on can be read off the program.
#[test]
fn decisions_are_marked() {
    use lakatos_ir::{Decision, InputKind};
    let text = "volatile int v; int f(void); asm(\"\");\n\
                int main(void) { int x; asm(\"\" : \"=r\"(x)); return (x = 1) + x + f() + v; }";
    let source = lakatos_ir::Source::new("t.c", text);
    let environment =
        lakatos_ir::Environment { volatile: lakatos_ir::Volatile::Memory, ..Default::default() };
    let options = lakatos_c::Options { environment, ..Default::default() };
    let program = lakatos_c::compile(source, &options).unwrap();
    let decisions: Vec<_> = program.warnings.iter().map(|w| w.decision).collect();
    let [volatile, asm, order] =
        [Decision::Volatile, Decision::Assembly, Decision::EvaluationOrder].map(Some);
    assert_eq!(decisions, [None, asm, order, volatile]);
    let kinds: Vec<_> = program.sites.iter().map(|(_, site)| site.kind).collect();
    assert!(kinds.contains(&InputKind::Assembly) && kinds.contains(&InputKind::External));
}

#[test]
fn annotations_go_to_their_location() {
    let program = crate::lower(
        "//@ ghost int g;
/*@ requires n > 0; */
int f(int n) {
  int s = 0;
  /*@ loop invariant s >= 0; */
  for (int i = 0; i < n; i++) {
    //@ assert i < n;
    s += i;
  }
  //@ assert s >= 0;
  return s;
}
int main(void) { return f(3); }",
    )
    .expect("a program");
    let shown: Vec<String> =
        program.annotations.iter().map(|a| format!("{:?} {}\n", a.target, a.text.trim())).collect();
    expect![[r#"
        Contract(f1) ghost int g;
        Contract(f1) requires n > 0;
        Statement(f1, l3) loop invariant s >= 0;
        Statement(f1, l4) assert i < n;
        Statement(f1, l6) assert s >= 0;
    "#]]
    .assert_eq(&shown.concat());
    let f = program.proc_named("f").and_then(|f| program.procs[f].body.as_ref()).expect("f");
    let edges: Vec<String> = f
        .edges
        .iter()
        .map(|(_, e)| format!("{:?} -> {:?}: {}\n", e.from, e.to, program.source.snippet(e.span)))
        .collect();
    expect![[r#"
        l0 -> l2: s = 0
        l2 -> l3: i = 0
        l3 -> l4: i < n
        l3 -> l6: i < n
        l4 -> l5: s += i
        l5 -> l3: i++
        l6 -> l1: return s;
    "#]]
    .assert_eq(&edges.concat());
}
