//! Attributes and pragmas: what they mean, and that those without a meaning are refused by name.

use lakatos_c::ast::{DeclKind, Unit};
use lakatos_c::{Options, check, compile};
use lakatos_ir::{DataModel, Source};

fn unit(text: &str) -> Unit {
    let options = Options::of_model(DataModel::Lp64);
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

/// What stands against a program, or nothing.
fn refusal(text: &str) -> String {
    match compile(Source::new("t.c", text), &Options::default()) {
        Ok(_) => String::new(),
        Err(failure) => {
            let first = &failure.diagnostics[0];
            format!("{:?}: {}", first.severity, first.message)
        }
    }
}

/// In a function that a run depends on, and in one that it does not.
#[test]
fn attributes_without_a_meaning_count_if_a_run_depends_on_them() {
    let cases = [
        ("ifunc(\"g\")", "ifunc"),
        ("weakref(\"g\")", "weakref"),
        ("__returns_twice__", "returns_twice"),
        ("naked", "naked"),
        ("unused, interrupt", "interrupt"),
        ("target(\"fpmath=387\")", "target"),
        ("optimize(\"O2\", \"fast-math\")", "optimize"),
        ("optimize(\"no-\" \"wrapv\")", "optimize"),
        ("copy(v)", "copy"),
        ("section", "section"),
        ("no_such_attribute(1, (2))", "no_such_attribute"),
    ];
    for (attribute, name) in cases {
        let declaration = format!("int v; static void f(void) __attribute__(({attribute}));\n");
        let body = "static void f(void) { v = 1; }\n";
        let used = format!("{declaration}{body}int main(void) {{ f(); return 0; }}");
        let unused = format!("{declaration}{body}int main(void) {{ return 0; }}");
        assert_eq!(refusal(&used), format!("Unsupported: the attribute `{name}`"), "{used}");
        assert_eq!(refusal(&unused), "", "{unused}");
    }
}

#[test]
fn refused_wherever_they_stand() {
    let cases = [
        ("void f(void) __attribute__((constructor));", "a constructor that is not defined here"),
        ("__attribute__((constructor)) void f(int x) {}", "a constructor with parameters"),
        (
            "__attribute__((constructor)) void f(void) {} __attribute__((constructor)) void g(void) {}",
            "two constructors of the same priority",
        ),
        ("int v __attribute__((constructor));", "the attribute `constructor` of an object"),
        ("int v __attribute__((alias(\"w\")));", "the attribute `alias` of an object"),
        ("__attribute__((destructor(101))) void f(void);", "a destructor that is not defined here"),
        (
            "struct s { int x; } __attribute__((scalar_storage_order(\"big-endian\")));",
            "the attribute `scalar_storage_order`",
        ),
        ("struct __attribute__((no_such)) s { int x; };", "the attribute `no_such`"),
        ("struct s { int x __attribute__((no_such)); };", "the attribute `no_such`"),
        ("enum e { A __attribute__((no_such)) };", "the attribute `no_such`"),
        ("enum e { A } __attribute__((no_such));", "the attribute `no_such`"),
        ("typedef int t __attribute__((no_such));", "the attribute `no_such`"),
        ("void f(int x __attribute__((no_such)));", "the attribute `no_such`"),
        ("typedef int half __attribute__((mode(HF)));", "the attribute `mode`"),
        ("typedef int v __attribute__((vector_size(12)));", "vector types"),
        ("typedef char v __attribute__((vector_size(128))); v x = {1};", "vector types"),
        ("struct v { int x __attribute__((matrix_type(2, 2))); };", "vector types"),
        ("[[vendor::thing]] int v;", "the attribute `vendor::thing`"),
        ("int [[gnu::aligned(8)]] v;", "an attribute in this place of a declaration"),
        (
            "int v __attribute__((section(\".init\")));",
            "the section `.init`: it runs at start or end",
        ),
        (
            "int v __attribute__((section(\".in\" \"it_array.1\")));",
            "the section `.init_array.1`: it runs at start or end",
        ),
        (
            "int v __attribute__((section(\"\\056fini_array\")));",
            "the section `.fini_array`: it runs at start or end",
        ),
        ("int v __attribute__((section(\"a\\n.init\")));", "the section `a\\n.init`"),
        ("#pragma scalar_storage_order big-endian\n", "`#pragma scalar_storage_order`"),
        ("_Pragma(\"scalar_storage_order big-endian\")", "`#pragma scalar_storage_order`"),
        ("#pragma ms_struct on\n", "`#pragma ms_struct`"),
        ("#pragma options align=packed\n", "`#pragma options`"),
        ("#pragma weak a = b\n", "a `#pragma` that gives something another name"),
        ("#pragma redefine_extname a b\n", "a `#pragma` that gives something another name"),
        ("#pragma pack(pop)\n", "`#pragma pack(pop)` without its push"),
        ("#pragma pack(push, a)\n#pragma pack(pop, b)\n", "`#pragma pack(pop)` without its push"),
        ("#pragma pack(3)\n", "this form of `#pragma pack`"),
        ("#pragma pack 1\n", "this form of `#pragma pack`"),
        ("#pragma GCC optimize(\"Ofast\")\n", "`#pragma GCC optimize`"),
        ("#pragma GCC target(\"avx2\")\n", "`#pragma GCC target`"),
        ("#pragma STDC FENV_ROUND FE_UPWARD\n", "`#pragma STDC FENV_ROUND`"),
        ("#pragma clang attribute push(x)\n", "`#pragma clang attribute`"),
        ("#pragma omp parallel\n", "`#pragma omp parallel`"),
        ("#pragma no_such thing\n", "`#pragma no_such`"),
    ];
    for (text, construct) in cases {
        let program = format!("{text}\nint main(void) {{ return 0; }}");
        assert_eq!(refusal(&program), format!("Unsupported: {construct}"), "{text}");
    }
    let in_functions = [
        ("int f(void) { l: __attribute__((no_such)); return 0; }", "the attribute `no_such`"),
        (
            "int f(void) { int x __attribute__((cleanup(g))) = 0; return x; }",
            "the attribute `cleanup`",
        ),
        (
            "#pragma GCC push_options\n#pragma GCC target(\"avx2\")\nint f(void) { return 0; }
             #pragma GCC pop_options",
            "`#pragma GCC target`",
        ),
        (
            "#pragma GCC optimize(\"fast-math\")\nint f(void) { return 0; }
             #pragma GCC reset_options",
            "`#pragma GCC optimize`",
        ),
        (
            "void g(int, ...);
             int f(void) { if (1) g(1, __builtin_va_arg_pack()); else g(2); return 0; }",
            "the built-in function `__builtin_va_arg_pack`",
        ),
        ("int f(void) { return 1i == 1; }", "complex integers"),
    ];
    for (text, construct) in in_functions {
        let program = format!("{text}\nint main(void) {{ return f(); }}");
        assert_eq!(refusal(&program), format!("Unsupported: {construct}"), "{text}");
        assert_eq!(refusal(&format!("{text}\nint main(void) {{ return 0; }}")), "", "{text}");
    }
}

#[test]
fn harmless_ones_change_nothing() {
    let texts = [
        "void f(void) __attribute__((section(\".text.f\"), unused, noinline, __cold__));",
        "extern int g(const char *, ...) __attribute__((format(printf, 1, 2), nonnull(1)));",
        "__attribute__((optimize(\"O3\", \"no-tree-vectorize\"), target(\"sse4.2\"))) int h(void);",
        "struct s { int x; } __attribute__((may_alias, scalar_storage_order(\"little-endian\")));",
        "[[deprecated(\"old\")]] int v [[maybe_unused]] = 1;",
        "[[noreturn]] void stop(void); [[gnu::pure, gnu::nonnull(1)]] int p(int *q [[gnu::unused]]);",
        "enum e { A [[deprecated]], B __attribute__((unused)) = 3 };",
        "int f(int x) { switch (x) { case 1: x = 2; [[fallthrough]]; default: return x; } }",
        "int f(int x) { if (x) goto l; l: __attribute__((unused)); return x; }",
        "#pragma GCC diagnostic ignored \"-Wall\" // why\n#pragma once\n#pragma\n#pragma STDC FP_CONTRACT OFF",
        "#pragma GCC optimize (\"O2\")\n#pragma GCC target \"sse4.2\"\n#pragma merger(\"0\",\"/a.i\",\"\")",
        "_Pragma(\"GCC diagnostic push\") int v; _Pragma ( \"unroll 4\" )",
        "#pragma scalar_storage_order default\n#pragma ms_struct off",
    ];
    for text in texts {
        let program = format!("{text}\nint main(void) {{ return 0; }}");
        assert_eq!(refusal(&program), "", "{text}");
    }
}

#[test]
fn copies_what_concerns_calls() {
    let text = "extern void die(void) __attribute__((noreturn));
                extern void stop(void) __attribute__((copy(die)));";
    let unit = unit(text);
    let stops = unit.functions.iter().filter(|&&id| match &unit.decls[id].kind {
        DeclKind::Function(function) => function.noreturn,
        DeclKind::Object(_) => false,
    });
    assert_eq!(stops.count(), 2);
}

/// Of what is left out there is a warning, but for what stands in a header of the system.
#[test]
fn headers_of_the_system_are_not_the_users() {
    let function = "int fork(void); int f(void) { return fork(); }";
    let cases = [("# 1 \"h.h\" 1", 1), ("# 1 \"h.h\" 1 3", 0), ("# 1 \"3\"", 1), ("", 1)];
    for (marker, expected) in cases {
        let text = format!("{marker}\n{function}\n# 2 \"p.c\" 2\nint main(void) {{ return 0; }}");
        let program = compile(Source::new("p.c", text), &Options::default());
        assert_eq!(program.expect("it is a program").warnings.len(), expected, "{marker}");
    }
}
