//! Snapshots of rendered diagnostics.

use expect_test::{Expect, expect};
use lakatos_ir::{Diagnostic, Severity, Source, Span};

use super::{Style, render, render_plain};

/// The span of the first occurrence of `what`.
fn find(source: &Source, what: &str) -> Span {
    let start = source.text().find(what).expect("text occurs") as u32;
    Span::new(start, start + what.len() as u32)
}

fn check(source: &Source, diagnostics: &[Diagnostic], expected: Expect) {
    let text = render(source, diagnostics, Style::default());
    let plain = render_plain(source, diagnostics, 40);
    expected.assert_eq(&format!("{text}---\n{plain}"));
}

#[test]
fn error_with_note_and_help() {
    let source = Source::new("a.c", "int f(void);\nint main(void) {\n  long f = g(1);\n}\n");
    let error = Diagnostic::error(find(&source, "g(1)"), "call of undeclared function `g`")
        .note(find(&source, "f(void)"), "a similar name is declared here")
        .help("declare it: `int g(int);`");
    check(
        &source,
        &[error],
        expect![[r#"
            error: call of undeclared function `g`
             --> a.c:3:12
              |
            3 |   long f = g(1);
              |            ^^^^
              |
              = help: declare it: `int g(int);`
            note: a similar name is declared here
             --> a.c:1:5
              |
            1 | int f(void);
              |     ^^^^^^^
            ---
            a.c:3:12: error: call of undeclared function `g`
            a.c:1:5: note: a similar name is declared here
            a.c:3:12: help: declare it: `int g(int);`
        "#]],
    );
}

#[test]
fn severities_are_sorted_and_keep_their_order() {
    let source = Source::new("a.c", "int x;\n\tasm(\"nop\"); y\n");
    let diagnostics = [
        Diagnostic::warning(find(&source, "int"), "first warning"),
        Diagnostic::unsupported(find(&source, "asm"), "inline assembly with goto"),
        Diagnostic::error(find(&source, "y"), "`y` is not declared"),
    ];
    check(
        &source,
        &diagnostics,
        expect![[r#"
            error: `y` is not declared
             --> a.c:2:14
              |
            2 |     asm("nop"); y
              |                 ^

            unsupported: inline assembly with goto
             --> a.c:2:2
              |
            2 |     asm("nop"); y
              |     ^^^

            warning: first warning
             --> a.c:1:1
              |
            1 | int x;
              | ^^^
            ---
            a.c:2:14: error: `y` is not declared
            a.c:2:2: unsupported: inline assembly with goto
            a.c:1:1: warning: first warning
        "#]],
    );
}

#[test]
fn line_markers_lead_to_the_users_file() {
    let text = "# 1 \"user.c\"\nint a;\n# 7 \"inc.h\"\nint a(void);\n";
    let mut source = Source::new("build/user.i", text);
    source.add_line_marker(0, 1, Some("user.c".into()));
    source.add_line_marker(text.find("# 7").unwrap() as u32, 7, Some("inc.h".into()));
    let error = Diagnostic::error(find(&source, "a(void)"), "`a` is declared twice")
        .note(find(&source, "a;"), "first declaration");
    check(
        &source,
        &[error],
        expect![[r#"
            error: `a` is declared twice
             --> inc.h:7:5
              |
            7 | int a(void);
              |     ^^^^^^^
              |
            note: first declaration
             --> user.c:1:5
              |
            1 | int a;
              |     ^^
            ---
            inc.h:7:5: error: `a` is declared twice
            user.c:1:5: note: first declaration
        "#]],
    );
}

#[test]
fn wide_characters_and_tabs() {
    let source = Source::new("ü.c", "char *s = \"日本語\"; é;\n\t\tint\tx = oops;\r\n");
    let diagnostics = [
        Diagnostic::error(find(&source, "é"), "unexpected `é`"),
        Diagnostic::error(find(&source, "oops"), "`oops` is not declared"),
    ];
    check(
        &source,
        &diagnostics,
        expect![[r#"
            error: unexpected `é`
             --> ü.c:1:18
              |
            1 | char *s = "日本語"; é;
              |                     ^

            error: `oops` is not declared
             --> ü.c:2:11
              |
            2 |         int    x = oops;
              |                    ^^^^
            ---
            ü.c:1:18: error: unexpected `é`
            ü.c:2:11: error: `oops` is not declared
        "#]],
    );
}

#[test]
fn empty_file_end_of_file_and_spans_outside() {
    let empty = Source::new("empty.c", "");
    check(
        &empty,
        &[Diagnostic::error(Span::default(), "there is no `main`")],
        expect![[r#"
        error: there is no `main`
        --> empty.c:1:1
        ---
        empty.c:1:1: error: there is no `main`
    "#]],
    );
    let source = Source::new("a.c", "int main(void) {\n");
    let end = source.text().len() as u32;
    let diagnostics = [
        Diagnostic::error(Span::new(end, end), "expected `}` before the end of the file"),
        Diagnostic::error(Span::new(end - 1, end - 1), "at the line break"),
        Diagnostic::error(Span::new(900, 910), "beyond the file"),
    ];
    check(
        &source,
        &diagnostics,
        expect![[r#"
            error: expected `}` before the end of the file
            --> a.c:2:1

            error: at the line break
             --> a.c:1:17
              |
            1 | int main(void) {
              |                 ^

            error: beyond the file
            --> a.c:2:1
            ---
            a.c:2:1: error: expected `}` before the end of the file
            a.c:1:17: error: at the line break
            a.c:2:1: error: beyond the file
        "#]],
    );
}

#[test]
fn span_over_several_lines_is_shown_to_the_end_of_the_first() {
    let source = Source::new("a.c", "if (x) {\n  y();\n}\n");
    let error = Diagnostic::error(find(&source, "{\n  y();\n}"), "this block");
    check(
        &source,
        &[error],
        expect![[r#"
            error: this block
             --> a.c:1:8
              |
            1 | if (x) {
              |        ^
            ---
            a.c:1:8: error: this block
        "#]],
    );
}

#[test]
fn enormous_line_is_shown_as_a_window() {
    let text = format!("{}oops{}\nint x;", "日(".repeat(2_000_000), ")".repeat(5_000_000));
    let source = Source::new("big.c", text);
    let error = Diagnostic::error(find(&source, "oops"), "m".repeat(3_000_000));
    let shown = render(&source, &[error], Style::default());
    assert!(shown.len() < 2_000, "{} bytes", shown.len());
    let error = Diagnostic::error(find(&source, "oops"), "here");
    check(
        &source,
        &[error],
        expect![[r#"
        error: here
         --> big.c:1:4000001
          |
         ::: 
        1 | …日(日(日(日(日(日(日(日(日(日(日(日(日(日(日(oops))))))))))))))))))))))))))))))))))))))))))))))))))))))))…
          |                                               ^^^^
        ---
        big.c:1:4000001: error: here
    "#]],
    );
    let all = Diagnostic::error(Span::new(0, source.text().len() as u32), "everything");
    assert!(render(&source, &[all], Style::default()).len() < 2_000);
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let source = Source::new("evil\x1b[2J.c", "int \x1b[31mx\0;\n");
    let error = Diagnostic::error(find(&source, "x"), "stray \x1b[0m in program");
    for text in [
        render(&source, std::slice::from_ref(&error), Style::default()),
        render_plain(&source, &[error], 40),
    ] {
        assert!(!text.contains(['\x1b', '\0']), "{text:?}");
    }
}

#[test]
fn at_most_one_screen() {
    let source = Source::new("a.c", "x\n".repeat(500));
    let many: Vec<_> = (0..500)
        .map(|i| {
            let severity = if i % 5 == 0 { Severity::Warning } else { Severity::Error };
            Diagnostic::new(severity, Span::new(2 * i, 2 * i + 1), format!("number {i}"))
        })
        .collect();
    let text = render(&source, &many, Style { height: 10, ..Style::default() });
    expect![[r#"
        error: number 1
         --> a.c:2:1
          |
        2 | x
          | ^

        … and 399 more errors, 100 more warnings
    "#]]
    .assert_eq(&text);
    expect![[r#"
        a.c:2:1: error: number 1
        a.c:3:1: error: number 2
        a.c:4:1: error: number 3
        … and 397 more errors, 100 more warnings
    "#]]
    .assert_eq(&render_plain(&source, &many, 3));
}

#[test]
fn colour_is_the_callers_choice() {
    let source = Source::new("a.c", "x\n");
    let error = [Diagnostic::error(Span::new(0, 1), "message")];
    let coloured = Style { color: true, ..Style::default() };
    assert!(render(&source, &error, coloured).contains("\x1b["));
    assert!(!render(&source, &error, Style::default()).contains('\x1b'));
}
