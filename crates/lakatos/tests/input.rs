//! Every kind of bad input: the message on one screen, and the right exit code. Never a panic.

mod support;

use expect_test::expect;
use support::Sandbox;

#[test]
fn missing_file() {
    Sandbox::new().check(
        &["verify", "nowhere.c"],
        3,
        expect![""],
        expect![[r#"
            error: cannot read nowhere.c: there is no such file
        "#]],
    );
}

#[test]
fn directory() {
    Sandbox::new().dir("folder").check(
        &["run", "folder"],
        3,
        expect![""],
        expect![[r#"
            error: cannot read folder: it is a directory; give a C file or a task file (.yml)
        "#]],
    );
}

#[test]
#[cfg(unix)]
fn no_permission() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::new().file("secret.c", "int main(void) { return 0; }");
    let path = sandbox.path("secret.c");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::read(&path).is_ok() {
        return; // root reads everything
    }
    sandbox.check(
        &["verify", "secret.c"],
        3,
        expect![""],
        expect![[r#"
            error: cannot read secret.c: permission denied
        "#]],
    );
}

#[test]
fn empty_file() {
    Sandbox::new().file("empty.c", "").check(
        &["verify", "empty.c"],
        3,
        expect![""],
        expect![[r#"
            error: empty.c is empty: there is no program to look at
        "#]],
    );
}

#[test]
fn empty_standard_input() {
    Sandbox::new().check(
        &["verify", "-"],
        3,
        expect![""],
        expect![[r#"
            error: <stdin> is empty: there is no program to look at
        "#]],
    );
}

#[test]
fn binary_file() {
    Sandbox::new().file("a.out", b"\x7fELF\x02\x01\x01\0\0\0\n#include\n").check(
        &["cfa", "a.out"],
        3,
        expect![""],
        expect![[r#"
            error: a.out:1:8: this is a binary file, not C source text (NUL byte)
        "#]],
    );
}

#[test]
fn latin1_in_a_literal() {
    Sandbox::new().file("menu.c", b"// caf\xe9\nchar *s = \"caf\xe9\";\n").check(
        &["verify", "menu.c"],
        3,
        expect![""],
        expect![[r#"
            error: menu.c:2:15: the text is not UTF-8 here
              Only comments may use another encoding. If it is Latin-1, convert the file:
              iconv -f latin1 -t utf-8 menu.c
        "#]],
    );
}

#[test]
fn more_than_a_gigabyte() {
    let sandbox = Sandbox::new().file("huge.c", "");
    // A hole: nothing is written and nothing is read.
    let huge = std::fs::File::options().write(true).open(sandbox.path("huge.c")).unwrap();
    huge.set_len((1 << 30) + 1).unwrap();
    sandbox.check(
        &["verify", "huge.c"],
        3,
        expect![""],
        expect![[r#"
            error: cannot read huge.c: it is larger than 1 GB
        "#]],
    );
}

#[test]
fn directives_without_a_compiler() {
    let sandbox = Sandbox::new()
        .file("hello.c", "// hello\n  #include <stdio.h>\nint main(void) { return 0; }\n");
    sandbox.env("CC", "no-such-compiler").check(
        &["verify", "hello.c"],
        3,
        expect![""],
        expect![[r#"
            error: hello.c:2:3: `#include <stdio.h>` needs a preprocessor, and the C compiler `no-such-compiler` cannot be run (No such file or directory (os error 2))
              Install a C compiler, or name one in the environment variable CC, or preprocess the file
              elsewhere with `cc -E -C hello.c > file.i` and give file.i.
        "#]],
    );
}

#[test]
fn task_files_that_cannot_be_used() {
    let sandbox = Sandbox::new()
        .file("broken.yml", "input_files: [\n")
        .file("foreign.yml", "steps:\n- build\n")
        .file("many.yml", "input_files: [a.c, b.c]\n")
        .file("java.yml", "input_files: a.java\noptions: {language: Java}\n")
        .file("model.yml", "input_files: a.c\noptions: {data_model: LLP64}\n")
        .file("lost.yml", "input_files: a.c\nproperties:\n- property_file: p.prp\n");
    for (file, said) in [
        ("broken.yml", "broken.yml is not a task definition"),
        ("foreign.yml", "foreign.yml is not a task definition"),
        ("many.yml", "many.yml: a task must have exactly one input file, this one has 2"),
        ("java.yml", "java.yml: the language is Java, not C"),
        ("model.yml", "unknown data model `LLP64` (ILP32 and LP64 are known)"),
        ("lost.yml", "cannot read p.prp: there is no such file"),
    ] {
        let output = sandbox.run(&["verify", file]);
        assert_eq!(output.code, 3, "{file}: {output:?}");
        assert!(output.stderr.contains(said), "{file}: {output:?}");
        assert!(output.stderr.lines().count() < 25, "{file}: {output:?}");
    }
}
