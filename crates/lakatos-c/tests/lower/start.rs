//! `__lakatos_start`: objects with static storage, and the call of `main`.

use expect_test::{Expect, expect};
use lakatos_ir::print;

use crate::{check, lower};

fn check_start(input: &str, expected: Expect) {
    let text = print::program(&lower(input).expect("a program")).to_string();
    let parts = text.split_inclusive("\n\n");
    let shown: String = parts.take_while(|part| !part.contains("main(")).collect();
    let start = text.split("\n\n").find(|part| part.contains("__lakatos_start(")).unwrap_or("");
    let tables = shown.split("\n\n").next().unwrap_or("").trim();
    expected.assert_eq(&format!("{tables}\n{}\n", start.trim()));
}

#[test]
fn objects_are_made_before_main() {
    check_start(
        "int a; int b = 3; int *p = &b; int t[3] = {1, [2] = 5}; char s[] = \"hi\"; const char *m = \"lit\"; struct { int x; struct { char c; } y; } r = { .y = { 'c' } };
int f(void); int (*fp)(void) = f; int f(void) { static int n = 7; static int z; return n++ + z; }
extern int ext; extern int never_used; int *q = &ext; int *c = (int[]){4, 5};
int main(void) { return f() + a; }",
        expect![[r#"
            struct anonymous_0, 8 bytes, aligned to 4
                0: int x
                4: struct anonymous_1 y
            struct anonymous_1, 1 bytes, aligned to 1
                0: char c
            int a, address taken
            int b, address taken
            int *p, address taken
            int t[3], address taken
            char s[3], address taken
            char *m, address taken
            struct anonymous_0 r, address taken
            int (*fp)(void), address taken
            int *q, address taken
            int *c, address taken
            static in f int n
            static in f int z
            literal char "lit"[4], address taken
            int ext, address taken
            int $v19[2], address taken
            in0: external int ext in __lakatos_start @3:12
            int __lakatos_start(void)
                temp int $1
              l0 entry @1:90
                "lit" = "lit" -> l2
              l1 exit @4:5
              l2 @3:12
                ext = ext() @in0 -> l3
              l3 @1:5
                a = 0 -> l4
              l4 @1:12
                b = 3 -> l5
              l5 @1:24
                p = &b -> l6
              l6 @1:43
                t = {0} -> l7
              l7 @1:44
                t[0] = 1 -> l8
              l8 @1:53
                t[2] = 5 -> l9
              l9 @1:62
                s = "hi" -> l10
              l10 @1:86
                m = &"lit"[0] -> l11
              l11 @1:141
                r = {0} -> l12
              l12 @1:150
                r.y.c = 99 -> l13
              l13 @2:20
                fp = f -> l14
              l14 @2:60
                n = 7 -> l15
              l15 @2:78
                z = 0 -> l16
              l16 @3:45
                q = &ext -> l17
              l17 @3:60
                c = &$v19[0] -> l18
              l18 @3:71
                $v19 = {0} -> l19
              l19 @3:72
                $v19[0] = 4 -> l20
              l20 @3:75
                $v19[1] = 5 -> l21
              l21 @4:5
                $1 = main() -> l22
              l22 @4:5
                return $1 -> l1
        "#]],
    );
}

#[test]
fn arguments_of_main() {
    check_start(
        "int main(int argc, char **argv) { return argc; }",
        expect![[r#"
            in0: uninitialised int argc in __lakatos_start @1:14
            in1: uninitialised char ** argv in __lakatos_start @1:27
            int __lakatos_start(void)
                temp int $1
                temp char **$2
                temp int $3
              l0 entry @1:14
                $1 = ? @in0 -> l2
              l1 exit @1:5
              l2 @1:27
                $2 = ? @in1 -> l3
              l3 @1:5
                [$1 >= 0] -> l4
              l4 @1:5
                $3 = main($1, $2) -> l5
              l5 @1:5
                return $3 -> l1
        "#]],
    );
    check_start(
        "void main(void) { }",
        expect![[r#"

            int __lakatos_start(void)
              l0 entry @1:6
                main() -> l2
              l1 exit @1:6
              l2 @1:6
                return 0 -> l1
        "#]],
    );
    check_start(
        "char main(void) { return 1; }",
        expect![[r#"

            int __lakatos_start(void)
                temp char $1
              l0 entry @1:6
                $1 = main() -> l2
              l1 exit @1:6
              l2 @1:6
                return (int)$1 -> l1
        "#]],
    );
}

#[test]
fn there_must_be_a_main() {
    check(
        "int f(void) { return 0; }",
        expect![[r#"
        t.c:1:1: Error: no function `main` is defined (a program starts at `main`: define it in this file)
    "#]],
    );
    check(
        "int main(void);",
        expect![[r#"
        t.c:1:5: Error: `main` is declared but not defined (a program starts at `main`: define it in this file)
    "#]],
    );
}
