//! Attributes and pragmas: what they mean, and that those without a meaning are refused by name.

use lakatos_c::ast::{DeclKind, Unit};
use lakatos_c::{Options, check};
use lakatos_ir::{DataModel, Source};

fn unit(text: &str) -> Unit {
    let options = Options { model: DataModel::Lp64 };
    match check(Source::new("t.c", text), &options) {
        Ok(unit) => unit,
        Err(failure) => panic!("{text}\n{:?}", failure.diagnostics),
    }
}

/// The names of weak symbols.
fn weak(text: &str) -> Vec<String> {
    let unit = unit(text);
    let mut names: Vec<String> = unit
        .decls
        .iter()
        .map(|(_, decl)| decl)
        .filter(|decl| match &decl.kind {
            DeclKind::Object(object) => object.weak,
            DeclKind::Function(function) => function.weak,
        })
        .map(|decl| unit.symbols.name(decl.name).to_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn weak_symbols() {
    let cases: [(&str, &[&str]); 14] = [
        ("__attribute__((weak)) extern void f(void);", &["f"]),
        ("extern void __attribute__((__weak__)) f(void), g(void);", &["f", "g"]),
        ("extern void f(void), g(void) __attribute__((unused, weak));", &["g"]),
        ("extern void f(void), __attribute__((weak)) g(void);", &["g"]),
        ("extern int * __attribute__((weak)) p;", &["p"]),
        ("int v[3] __attribute__((weak)) = { 1 };", &["v"]),
        ("void f(void) __attribute__((weak)); void f(void) {} int g(void) { return 0; }", &["f"]),
        ("__attribute__((weak)) int f(void) { return 1; }", &["f"]),
        ("typedef int T; __attribute__((weak)) extern T v;", &["v"]),
        ("int f(void) { extern int v __attribute__((weak)); return v; }", &["v"]),
        ("int f(void) { __attribute__((weak)) extern int v; return v; }", &["v"]),
        ("#pragma weak v\nextern int v, w;", &["v"]),
        ("extern int f(void), g(void);\n#pragma weak f\n#pragma weak nothing\n", &["f"]),
        ("extern int v; struct s { int f __attribute__((packed)); };", &[]),
    ];
    for (text, names) in cases {
        assert_eq!(weak(text), names, "{text}");
    }
}
