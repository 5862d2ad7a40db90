//! Programs that the front-end refuses: position, message, exit code.

mod support;

use expect_test::{Expect, expect};
use support::Sandbox;

fn check(program: &str, code: i32, stderr: Expect) {
    let sandbox = Sandbox::new().file("a.c", program);
    let output = sandbox.run(&["verify", "a.c"]);
    stderr.assert_eq(&output.stderr);
    assert_eq!(output.code, code, "{output:?}");
}

#[test]
fn syntax_error() {
    check(
        "int main(void) {\n    int x = 3 +;\n    return x;\n}\n",
        3,
        expect![[r#"
        error: expected an expression, found `;`
         --> a.c:2:16
          |
        2 |     int x = 3 +;
          |                ^
    "#]],
    );
}

#[test]
fn type_error() {
    check(
        "struct s { int a; } s;\nint main(void) {\n    return s + 1;\n}\n",
        3,
        expect![[r#"
        error: `+` does not apply to `struct s` and `int`
         --> a.c:3:12
          |
        3 |     return s + 1;
          |            ^^^^^
    "#]],
    );
}

#[test]
fn no_main() {
    check(
        "int f(void) { return 0; }\n",
        3,
        expect![[r#"
        error: no function `main` is defined
         --> a.c:1:1
          |
        1 | int f(void) { return 0; }
          | ^
          |
          = help: a program starts at `main`: define it in this file
    "#]],
    );
    check(
        "/* nothing but a comment */\n",
        3,
        expect![[r#"
        error: no function `main` is defined
         --> a.c:1:1
          |
        1 | /* nothing but a comment */
          | ^
          |
          = help: a program starts at `main`: define it in this file
    "#]],
    );
}

#[test]
fn unsupported_construct() {
    let program =
        "typedef int v\n    __attribute__((vector_size(12)));\nint main(void) { return 0; }\n";
    check(
        program,
        2,
        expect![[r#"
            unsupported: vector types
             --> a.c:1:13
              |
            1 | typedef int v
              |             ^
        "#]],
    );
}

#[test]
fn warnings_do_not_stop() {
    check(
        "int main(void) {\n    return undeclared(3);\n}\n",
        0,
        expect![[r#"
            warning: `undeclared` is called but not declared
             --> a.c:2:12
              |
            2 |     return undeclared(3);
              |            ^^^^^^^^^^

            warning: `undeclared` is declared but not defined: its result is any value, and it may change everything that other files can reach
             --> a.c:2:12
              |
            2 |     return undeclared(3);
              |            ^^^^^^^^^^
        "#]],
    );
}

#[test]
fn many_errors_stay_on_one_screen() {
    let program = "int main(void) {\n".to_owned() + &"    x y z;\n".repeat(500) + "}\n";
    let output = Sandbox::new().file("a.c", program).run(&["verify", "a.c"]);
    assert_eq!(output.code, 3);
    assert!(output.stderr.lines().count() <= 50, "{}", output.stderr);
}

#[test]
fn ten_megabytes_of_parentheses() {
    let program = "int main(void) { return ".to_owned() + &"(".repeat(10 << 20);
    let output = Sandbox::new().file("a.c", program).run(&["verify", "a.c"]);
    assert!([2, 3].contains(&output.code), "{}", output.code);
    assert!(output.stderr.lines().count() <= 50, "{}", output.stderr.len());
    assert!(output.stderr.len() < 10_000, "{}", output.stderr.len());
}

#[test]
fn positions_go_through_the_preprocessor() {
    if !compiler_exists() {
        return eprintln!("no C compiler: not tested");
    }
    let sandbox = Sandbox::new()
        .file("h.h", "#define THREE 3\nint x;\n")
        .file("a.c", "#include \"h.h\"\n\nint main(void) {\n    return THREE + y;\n}\n");
    sandbox.check(
        &["verify", "a.c"],
        3,
        expect![""],
        expect![[r#"
        error: `y` is not declared
         --> a.c:4:16
          |
        4 |     return 3 + y;
          |                ^
    "#]],
    );
}

#[test]
fn assert_h_is_understood() {
    if !compiler_exists() {
        return eprintln!("no C compiler: not tested");
    }
    let program = "#include <assert.h>\nint main(void) {\n    int x = 2;\n    assert(x == 3);\n}\n";
    let output = Sandbox::new().file("a.c", program).run(&["run", "a.c"]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.stdout.contains("a.c:4:"), "{output:?}");
}

#[test]
fn the_preprocessor_fails() {
    if !compiler_exists() {
        return eprintln!("no C compiler: not tested");
    }
    let sandbox = Sandbox::new().file("a.c", "#include \"nowhere.h\"\nint main(void) {}\n");
    let output = sandbox.run(&["verify", "a.c"]);
    assert_eq!(output.code, 3, "{output:?}");
    for said in ["preprocessing with `cc` failed", "a.c:1:10", "nowhere.h"] {
        assert!(output.stderr.contains(said), "{output:?}");
    }
}

fn compiler_exists() -> bool {
    std::process::Command::new("cc").arg("--version").output().is_ok_and(|o| o.status.success())
}
