//! What lowered programs do when they run. The expected outputs are those of `gcc -fwrapv`.

use expect_test::{Expect, expect};
use lakatos_ir::interpret::{Options, Zeros, run};

use crate::lower;

/// Runs a program that prints with `printf`.
fn check(input: &str, expected: Expect) {
    let program = lower(&format!("int printf(const char *, ...);\n{input}")).expect("a program");
    let run = run(&program, &Options::default(), &mut Zeros);
    let output = String::from_utf8_lossy(&run.output);
    expected.assert_eq(&format!("{output}{:?}\n", run.outcome));
}

#[test]
fn expressions() {
    check(
        include_str!("programs/expressions.c"),
        expect![[r#"
        1 -15 1 0 -1
        7 1 -1 1
        0 -16 0 1 0
        3 0
        13
        1 0 1
        -128
        255
        2 8
        3 2 100
        150 20 150
        5 8 3
        vla 276 48 16 3
        16
        5 1
        204
        vp 6
        99
        10 6 20 2
        10
        5 9
        1
        12
        -1
        77 3
        1 -2147483648
        1 4
        0 6
        3412 78563412 f0debc9a78563412
        27 4 8 1 4
        4
        5
        7
        3
        0 2 
        1 4294967295
        0
        4
        hello y 9 7
        98 0 ab
        26 8
        1
        1
        3
        2
        0 1
        -1
        10
        3
        -25536
        -3 -1
        44
        22
        5 1
        0
        3 0
        2
        w1 w0 
        Exited(3)
    "#]],
    );
}

#[test]
fn control() {
    check(
        include_str!("programs/control.c"),
        expect![[r#"
        3 5 6
        1 2 7
        4 5 
        120 11 7 8
        1 3 4
        48 -2 0
        3
        1 1
        1 505 6
        8 3 5
        9 9 1
        11 6
        3 2
        4
        null
        1 9223372036854775807
        1
        ABC
        1
        34
        1
        44
        24 6
        1
        2
        5
        4
        68
        Exited(4)
    "#]],
    );
}

/// Left to right, where C leaves the order open.
#[test]
fn order_of_evaluation() {
    check(
        r#"int x = 5, i = 1, a[5] = {1, 2, 3, 4, 5};
int add(int p, int q) { return p * 10 + q; }
int set(int v) { x = v; return 1; }
int main(void) {
  int y = x + x++;
  printf("%d %d\n", y, x);
  a[i] = i++;
  printf("%d %d\n", a[1], a[2]);
  printf("%d\n", add(x, x = 2));
  printf("%d\n", x + set(7) + x);
  x += set(1);
  printf("%d\n", x);
  return 0;
}"#,
        expect![[r#"
            10 6
            1 3
            62
            10
            8
            Exited(0)
        "#]],
    );
}

/// An object's life ends with its block; a label passed by a jump finds no value.
#[test]
fn lives() {
    check(
        "int *p; int main(void) { { int x = 1; p = &x; printf(\"%d\", *p); } return *p; }",
        expect![[r#"
            1Undefined { kind: Dangling, span: 104..106, message: "`*p` reads an object whose lifetime is over" }
        "#]],
    );
    check(
        "int *p; int main(void) { for (int i = 0; i < 2; i++) { int x = i; if (i) continue; p = &x; } return *p; }",
        expect![[r#"
            Undefined { kind: Dangling, span: 131..133, message: "`*p` reads an object whose lifetime is over" }
        "#]],
    );
    check(
        "int *p; int main(void) { { int x = 1; p = &x; goto out; } out: return *p; }",
        expect![[r#"
            Undefined { kind: Dangling, span: 101..103, message: "`*p` reads an object whose lifetime is over" }
        "#]],
    );
}
