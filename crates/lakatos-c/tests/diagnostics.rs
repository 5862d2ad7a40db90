//! What the user is told about a file that is not C, position by position.

use expect_test::{Expect, expect};
use lakatos_c::{Options, check as check_source};
use lakatos_ir::{Diagnostic, Source};

fn line(source: &Source, d: &Diagnostic) -> String {
    let mut text = format!("{}: {:?}: {}", source.position(d.span.start), d.severity, d.message);
    for (span, note) in &d.notes {
        text += &format!("\n  {}: {note}", source.position(span.start));
    }
    if let Some(help) = &d.help {
        text += &format!("\n  help: {help}");
    }
    text + "\n"
}

/// All diagnostics of a text, warnings included, and what stands in the way if a run depends on it.
fn diagnostics(input: &str) -> String {
    let source = Source::new("t.c", input);
    let (source, diagnostics) = match check_source(source, &Options::default()) {
        Ok(mut unit) => {
            unit.warnings.extend(unit.unsupported.into_iter().map(|(_, refusal)| refusal));
            (unit.source, unit.warnings)
        }
        Err(failure) => (failure.source, failure.diagnostics),
    };
    diagnostics.iter().map(|d| line(&source, d)).collect()
}

fn check(input: &str, expected: Expect) {
    expected.assert_eq(&diagnostics(input));
}

#[test]
fn syntax_errors() {
    check(
        "int main(void) { return 0 }",
        expect![[r#"
        t.c:1:25: Error: expected `;` after `return`, found `}`
    "#]],
    );
    check(
        "int x = ;",
        expect![[r#"
        t.c:1:9: Error: expected an expression, found `;`
    "#]],
    );
    check(
        "int f( { }",
        expect![[r#"
        t.c:1:8: Error: expected a parameter, found `{`
    "#]],
    );
    check(
        "int main(void) { if (1) }",
        expect![[r#"
        t.c:1:25: Error: expected an expression, found `}`
    "#]],
    );
    check(
        "int main(void) {",
        expect![[r#"
        t.c:1:17: Error: expected `}`, found the end of the file
    "#]],
    );
    check(
        "}",
        expect![[r#"
        t.c:1:1: Error: expected a declaration, found `}`
    "#]],
    );
    check(
        "int main(void) { x = 1; y = x; x = 2; return 0; }",
        expect![[r#"
        t.c:1:18: Error: `x` is not declared
        t.c:1:25: Error: `y` is not declared
    "#]],
    );
    check(
        "foo bar;",
        expect![[r#"
        t.c:1:1: Error: `foo` is not a type
          help: is a typedef or an `#include` missing?
    "#]],
    );
}

#[test]
fn lexical_errors() {
    check(
        "int a = 1; /* open",
        expect![[r#"
        t.c:1:12: Error: this comment is never closed
          help: end it with `*/`
    "#]],
    );
    check(
        "char *s = \"open;\nint x;",
        expect![[r#"
        t.c:1:11: Error: this string is not closed on its line
    "#]],
    );
    check(
        "int a = 09;",
        expect![[r#"
        t.c:1:9: Error: `9` is not a suffix of an integer constant
    "#]],
    );
    check(
        "int a = 0x;",
        expect![[r#"
        t.c:1:9: Error: `0x` has no digits
    "#]],
    );
    check(
        "int a = 1zz;",
        expect![[r#"
        t.c:1:9: Error: `zz` is not a suffix of an integer constant
    "#]],
    );
    check(
        "int a = 'ab\\q';",
        expect![[r#"
        t.c:1:9: Error: unknown escape `\q`
    "#]],
    );
    check(
        "int a = @;",
        expect![[r#"
        t.c:1:9: Error: stray '@' in the program
          help: is this a C source file?
    "#]],
    );
    check(
        "\u{1}\u{2}\u{7f}ELF",
        expect![[r#"
        t.c:1:1: Error: stray '\u{1}' in the program
          help: is this a C source file?
    "#]],
    );
    check(
        "#include <stdio.h>\nint x;",
        expect![[r#"
        t.c:1:1: Error: preprocessor directive `#include` in preprocessed text
          help: preprocess the file first: `cc -E -C file.c > file.i`
    "#]],
    );
}

#[test]
fn type_errors() {
    check(
        "struct s { int a; } v; int f(void) { return v.b; }",
        expect![[r#"
            t.c:1:47: Error: `struct s` has no member `b`
        "#]],
    );
    check(
        "struct s v;",
        expect![[r#"
        t.c:1:10: Error: the size of `v` (`struct s`) is not known
    "#]],
    );
    check(
        "int f(int a) { return *a; }",
        expect![[r#"
        t.c:1:23: Error: `*` does not apply to `int`
    "#]],
    );
    check(
        "int f(void) { struct s { int a; } v; return v + 1; }",
        expect![[r#"
        t.c:1:45: Error: `+` does not apply to `struct s` and `int`
    "#]],
    );
    check(
        "void f(int a, int b); void g(void) { f(1); }",
        expect![[r#"
        t.c:1:38: Error: `f` takes 2 arguments, not 1
    "#]],
    );
    check(
        "int f(void) { const int a = 1; a = 2; return a; }",
        expect![[r#"
        t.c:1:32: Error: this is `const` and cannot be assigned to
    "#]],
    );
    check(
        "int f(void) { 1 = 2; return &3; }",
        expect![[r#"
        t.c:1:15: Error: only a variable, or a part of one, can be assigned to
        t.c:1:29: Error: `&` needs something that has an address
    "#]],
    );
    check(
        "int f(void) { int a[3]; a = 0; return 0; }",
        expect![[r#"
        t.c:1:25: Error: an array cannot be assigned to as a whole
    "#]],
    );
    check(
        "int a; long a;",
        expect![[r#"
        t.c:1:13: Error: `long` conflicts with the earlier type `int` of `a`
          t.c:1:5: it was declared here before
    "#]],
    );
    check(
        "void f(void); int f(void);",
        expect![[r#"
        t.c:1:19: Error: `int (void)` conflicts with the earlier type `void (void)` of `f`
          t.c:1:6: it was declared here before
    "#]],
    );
    check(
        "int f(void) { return 1; } int f(void) { return 2; }",
        expect![[r#"
        t.c:1:31: Error: a second definition of `f`
    "#]],
    );
    check(
        "int a[-1]; int b[]; int n; int c[n];",
        expect![[r#"
        t.c:1:6: Error: the length of this array is negative
        t.c:1:33: Error: the length of an array at file scope must be constant
    "#]],
    );
    check(
        "int f(int x) { switch (x) { case 1: case 1: return 0; } return 1; }",
        expect![[r#"
        t.c:1:37: Error: a second case for 1
          t.c:1:29: the first is here
    "#]],
    );
    check(
        "int f(void) { break; continue; goto l; case 1: return 0; }",
        expect![[r#"
        t.c:1:15: Error: `break` outside a loop
        t.c:1:22: Error: `continue` outside a loop
        t.c:1:40: Error: `case` outside a `switch`
        t.c:1:37: Error: there is no label `l` in this function
    "#]],
    );
    check(
        "enum e { A, A }; struct s { int x; char x; }; union s *p;",
        expect![[r#"
        t.c:1:13: Error: redeclaration of `A`
          t.c:1:10: it was declared here before
        t.c:1:41: Error: a second member `x`
          t.c:1:33: the first one is here
        t.c:1:53: Error: another definition of the tag `s`
          t.c:1:25: the first one is here
    "#]],
    );
    check(
        "_Static_assert(sizeof(int) == 8, \"int is small\");",
        expect![[r#"
        t.c:1:1: Error: the static assertion fails: "int is small"
    "#]],
    );
    check(
        "struct s { int a : 33; int b : 0; };",
        expect![[r#"
            t.c:1:20: Error: 33 bits do not fit the field's type
        "#]],
    );
    check(
        "void v; int f(void v); void *g(void) { return *(void *)0; }",
        expect![[r#"
        t.c:1:6: Error: a variable cannot have type `void`
        t.c:1:20: Error: a parameter cannot have type `void`
        t.c:1:47: Error: `return` needs a value of type `void *`, this is `void`
    "#]],
    );
}

#[test]
fn warnings() {
    check(
        "main() { return f(1); }",
        expect![[r#"
        t.c:1:1: Warning: the type is missing: `int` is assumed
        t.c:1:17: Warning: `f` is called but not declared
    "#]],
    );
    check(
        "int *p; int f(char *c) { p = c; p = 5; return p; }",
        expect![[r#"
        t.c:1:30: Warning: the assignment turns `char *` into `int *`
        t.c:1:37: Warning: the assignment makes a pointer from an integer without a cast
        t.c:1:47: Warning: `return` makes an integer from a pointer without a cast
    "#]],
    );
    check(
        "void g(void) { h(1); } void h(int x) { }",
        expect![[r#"
        t.c:1:16: Warning: `h` is called but not declared
        t.c:1:29: Warning: `h` was called before this declaration as `int h()`
    "#]],
    );
    check(
        "int f(int *p) { return p == 1; }",
        expect![[r#"
        t.c:1:24: Warning: comparison of a pointer with an integer
    "#]],
    );
    check(
        "int a[2] = {1, 2, 3}; int b = {1, 2};",
        expect![[r#"
        t.c:1:19: Warning: more values than the initialised object can hold
        t.c:1:31: Warning: more values than the scalar can hold
    "#]],
    );
}

#[test]
fn unsupported() {
    check(
        "void *p = &&l;",
        expect![[r#"
        t.c:1:11: Error: the address of a label outside of a function
    "#]],
    );
    check(
        "void f(void); void f(void) __attribute__((alias(\"g\")));",
        expect![[r#"
        t.c:1:43: Error: `g` is not defined in this file
    "#]],
    );
    check(
        "void g(void) {} void f(void) __attribute__((alias(\"g\"))); void f(void) {}",
        expect![[r#"
            t.c:1:45: Error: an alias has no body of its own
            t.c:1:45: Unsupported: `g` as another name of it
        "#]],
    );
    check("typedef int v4 __attribute__((vector_size(16)));", expect![""]);
    check(
        "int f(int x) { return __builtin_frobnicate(x); }",
        expect![[r#"
        t.c:1:23: Unsupported: the built-in function `__builtin_frobnicate`
    "#]],
    );
    check(
        "int f(void) { int g(void) { return 1; } return g(); }",
        expect![[r#"
            t.c:1:15: Unsupported: nested functions
        "#]],
    );
}

#[test]
fn assembly_that_jumps() {
    check(
        "int f(void) { __asm__ goto (\"\" : : : : l, m); l: return 0; }",
        expect![[r#"
            t.c:1:43: Error: there is no label `m` in this function
        "#]],
    );
}

#[test]
fn long_double_constants() {
    check("long double b = 0.5L, c = 125e-3l, d = 0.0L, e = 1e22L, f = 100.0L;", expect![[r#""#]]);
    check(
        "enum { HERE = (int)0.1L };",
        expect![[r#"
            t.c:1:15: Unsupported: a constant that `double` cannot hold here
        "#]],
    );
}

#[test]
fn positions_go_through_line_markers() {
    check(
        "# 1 \"user.c\"\nint a;\n#line 40 \"other \\\"q\\\".h\" 3\nint b = ;\n# 7 \"user.c\" 2\n  ü;\n",
        expect![[r#"
            other "q".h:40:9: Error: expected an expression, found `;`
            user.c:7:3: Warning: the type is missing: `int` is assumed
        "#]],
    );
}

#[test]
fn nesting_is_bounded() {
    let deep = |open: &str, middle: &str, close: &str| {
        let n = 300_000;
        format!("int f(int x) {{ return {}{middle}{}; }}", open.repeat(n), close.repeat(n))
    };
    check(
        &deep("(", "x", ")"),
        expect![[r#"
            t.c:1:125022: Error: this is nested too deeply for Lakatos
              help: the limit is 250000 levels
        "#]],
    );
    check(
        &deep("- ", "x", ""),
        expect![[r#"
            t.c:1:500017: Error: this is nested too deeply for Lakatos
              help: the limit is 250000 levels
        "#]],
    );
    check(
        &deep("(int)", "x", ""),
        expect![[r#"
            t.c:1:1250007: Error: this is nested too deeply for Lakatos
              help: the limit is 250000 levels
        "#]],
    );
    check(
        &deep("x+(", "x", ")"),
        expect![[r#"
            t.c:1:375020: Error: this is nested too deeply for Lakatos
              help: the limit is 250000 levels
        "#]],
    );
    check(
        &deep("x?x:", "x", ""),
        expect![[r#"
            t.c:1:1000013: Error: this is nested too deeply for Lakatos
              help: the limit is 250000 levels
        "#]],
    );
    check(
        &deep("x=", "x", ""),
        expect![[r#"
            t.c:1:500019: Error: this is nested too deeply for Lakatos
              help: the limit is 250000 levels
        "#]],
    );
    check(
        &deep("", "x", "+1"),
        expect![[r#"
            t.c:1:500022: Error: this is nested too deeply for Lakatos
              help: the limit is 250000 levels
        "#]],
    );
    check(
        &format!("int {}x;", "*".repeat(100_000)),
        expect![[r#"
            t.c:1:506: Error: this is nested too deeply for Lakatos
              help: the limit is 500 levels
        "#]],
    );
    check(
        &format!("int x{};", "[1]".repeat(100_000)),
        expect![[r#"
            t.c:1:1509: Error: this is nested too deeply for Lakatos
              help: the limit is 500 levels
        "#]],
    );
    check(
        &format!("void f(void) {}", "{".repeat(300_000)),
        expect![[r#"
            t.c:1:125014: Error: this is nested too deeply for Lakatos
              help: the limit is 250000 levels
        "#]],
    );
    check(
        &format!("int x = {};", "{".repeat(300_000)),
        expect![[r#"
            t.c:1:250009: Error: this is nested too deeply for Lakatos
              help: the limit is 250000 levels
        "#]],
    );
    check(
        &"struct {".repeat(100_000),
        expect![[r#"
        t.c:1:8001: Error: this is nested too deeply for Lakatos
          help: the limit is 1000 levels
    "#]],
    );
}

#[test]
fn a_long_else_if_chain_is_no_nesting() {
    let arms = "if (x == 1) y = 2; else ".repeat(50_000);
    check(&format!("int f(int x) {{ int y = 0; {arms} y = 3; return y; }}"), expect![[r#""#]]);
}

/// A hundred thousand levels of what people generate, lowered, too.
#[test]
fn deep_programs_are_understood() {
    let n = 100_000;
    for (open, middle, close) in [
        ("(", "x", ")"),
        ("- ", "x", ""),
        ("!", "x", ""),
        ("(int)", "x", ""),
        ("1u+(", "x", ")"),
        ("x?x:", "x", ""),
        ("x=", "x", ""),
        ("", "x", "+1u"),
        ("", "x", "&&x"),
        ("(x||", "x", ")"),
        ("f(", "x", ")"),
        ("a[", "0", "]"),
        ("*&", "x", ""),
        ("sizeof ", "x", ""),
    ] {
        let value = format!("{}{middle}{}", open.repeat(n), close.repeat(n));
        let text = format!(
            "int a[1]; int f(int x) {{ return x; }} int main(void) {{ int x = 1; int y = {value}; return y; }}"
        );
        let compiled = lakatos_c::compile(Source::new("t.c", text), &Options::default());
        assert!(compiled.is_ok(), "{open}{middle}{close}");
    }
    for (open, close) in [("{", "}"), ("if (x) ", ";"), ("while (x) ", ";"), ("do ", "while (0);")]
    {
        let (open, close) = match close {
            ";" => (open.repeat(n), ";".to_owned()),
            "}" => (open.repeat(n), close.repeat(n)),
            _ => (open.repeat(n), ";".to_owned() + &close.repeat(n)),
        };
        let text = format!("int main(void) {{ int x = 1; {open}{close} return x; }}");
        let compiled = lakatos_c::compile(Source::new("t.c", text), &Options::default());
        assert!(compiled.is_ok());
    }
}
