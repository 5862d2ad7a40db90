//! What lowered programs do when they run. The expected outputs are those of `gcc -fwrapv`.

use expect_test::{Expect, expect};
use lakatos_ir::interpret::{Options, Outcome, Zeros, run};

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
            2
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

#[test]
fn variable_arguments() {
    check(
        include_str!("programs/variable_arguments.c"),
        expect![[r#"
        0 6 39
        3999999985
        127
        31 1
        141
        36
        3298534883330
        233 265
        42 6
        10
        0 1 5 Exited(0)
    "#]],
    );
}

/// Models of functions with formats.
#[test]
fn formats() {
    check(
        include_str!("programs/formats.c"),
        expect![[r#"
        1 [0]
        1 [7]
        3 [-42]
        10 [2147483647]
        11 [-2147483648]
        6 [    0|]
        6 [    7|]
        6 [  -42|]
        11 [2147483647|]
        12 [-2147483648|]
        6 [0    |]
        6 [7    |]
        6 [-42  |]
        11 [2147483647|]
        12 [-2147483648|]
        5 [00000]
        5 [00007]
        5 [-0042]
        10 [2147483647]
        11 [-2147483648]
        2 [+0]
        2 [+7]
        3 [-42]
        11 [+2147483647]
        11 [-2147483648]
        2 [ 0]
        2 [ 7]
        3 [-42]
        11 [ 2147483647]
        11 [-2147483648]
        3 [000]
        3 [007]
        4 [-042]
        10 [2147483647]
        11 [-2147483648]
        8 [     000]
        8 [     007]
        8 [    -042]
        10 [2147483647]
        11 [-2147483648]
        9 [000     |]
        9 [007     |]
        9 [-042    |]
        11 [2147483647|]
        12 [-2147483648|]
        1 [0]
        1 [7]
        8 [ffffffd6]
        8 [7fffffff]
        8 [80000000]
        1 [0]
        3 [0x7]
        10 [0xffffffd6]
        10 [0x7fffffff]
        10 [0x80000000]
        1 [0]
        3 [0X7]
        10 [0XFFFFFFD6]
        10 [0X7FFFFFFF]
        10 [0X80000000]
        1 [0]
        1 [7]
        11 [37777777726]
        11 [17777777777]
        11 [20000000000]
        1 [0]
        2 [07]
        12 [037777777726]
        12 [017777777777]
        12 [020000000000]
        1 [0]
        1 [7]
        10 [4294967254]
        10 [2147483647]
        10 [2147483648]
        1 [0]
        1 [7]
        3 [-42]
        2 [-1]
        1 [0]
        1 [0]
        1 [7]
        3 [-42]
        2 [-1]
        1 [0]
        1 [0]
        1 [7]
        3 [214]
        3 [255]
        1 [0]
        1 []
        31 [abc|      de|fg      |hi|k|m   ]
        58 [-1 4611686018427387904 18446744073709551615 12345678901 -5]
        5 [100%x]
        6 [abc]
        2 []
        3 [-]
        4 2 abcd
        7 12-wxyz
        8 -0003end
        Exited(0)
    "#]],
    );
}

#[test]
fn scans() {
    check(
        include_str!("programs/scans.c"),
        expect![[r#"
        3: 1 2 3
        3: 12 -5 7
        1: 12 92 93
        -1: 91 92 93
        -1: 91 92 93
        0: 91 92 93
        3: 12 34 5
        3: 31 63 10
        3: 255 15 -1
        1: 7 92 93
        2: 7 9 93
        1: 50 3 93
        1: 5 5 93
        -1: 91 92 93
        2: 5 -6 93
        2: [hello] [world]
        2: [hel] [lo]
        2: [key] [value]
        2: [abc]] [123]
        2: [x!!!!!!!!!!!!!!] [yz?????????????]
        0: [!!!!!!!!!!!!!!!] [???????????????]
        2: [ !!!!!!!!!!!!!!] [lead]
        1: [one] [???????????????]
        4: -5 9000000000 -7 8
        Exited(0)
    "#]],
    );
}

/// Arguments of another kind, or that are not there, are undefined: the run ends.
#[test]
fn no_such_argument() {
    const HEAD: &str = "typedef __builtin_va_list va_list;
long first(int n, ...) { va_list ap; __builtin_va_start(ap, n); TAKE; return n; }
";
    let check = |take: &str, call: &str, is_defined: bool| {
        let text = format!("{}int main(void) {{ {call}; return 0; }}", HEAD.replace("TAKE", take));
        let run = run(&lower(&text).expect("a program"), &Options::default(), &mut Zeros);
        assert_eq!(
            matches!(run.outcome, Outcome::Exited(0)),
            is_defined,
            "{text} {:?}",
            run.outcome
        );
    };
    check("__builtin_va_arg(ap, int)", "first(1, 2)", true);
    check("__builtin_va_arg(ap, unsigned)", "first(1, 2)", true);
    check("__builtin_va_arg(ap, void *)", "first(1, \"a\")", true);
    check("__builtin_va_arg(ap, int)", "first(1)", false);
    check("__builtin_va_arg(ap, int)", "first(1, 2L)", false);
    check("__builtin_va_arg(ap, long)", "first(1, 2)", false);
    check("__builtin_va_arg(ap, char)", "first(1, 'a')", false);
    check("__builtin_va_arg(ap, float)", "first(1, 1.0f)", false);
    check("__builtin_va_arg(ap, double)", "first(1, 1.0f)", true);
    check("__builtin_va_arg(ap, char *)", "first(1, 0)", false);
    check("__builtin_va_arg(ap, int); __builtin_va_arg(ap, int)", "first(1, 2)", false);
}
