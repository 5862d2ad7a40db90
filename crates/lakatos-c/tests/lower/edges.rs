//! Where C ends: initialisers that are replaced, built-ins that depend on the compiler, assembly,
//! constants, arrays of variable length. What compilers agree on runs as they have it; the rest is
//! refused by name.

use expect_test::expect;
use lakatos_ir::interpret::{Options, Outcome, Zeros, run};
use lakatos_ir::{InputKind, Property, Severity, Undefined, pass};

use crate::lower;

fn outcome(input: &str) -> Outcome {
    let program = lower(input).unwrap_or_else(|problems| panic!("{input}\n{problems}"));
    run(&program, &Options::default(), &mut Zeros).outcome
}

/// Programs that return 0.
fn fine(inputs: &[&str]) {
    for input in inputs {
        assert_eq!(outcome(input), Outcome::Exited(0), "{input}");
    }
}

/// Programs whose run is undefined.
fn undefined(kind: Undefined, inputs: &[&str]) {
    for input in inputs {
        let found = outcome(input);
        let is_it = matches!(found, Outcome::Undefined { kind: is, .. } if is == kind);
        assert!(is_it, "{input}\n{found:?}");
    }
}

/// Programs with the construct that stands in their way.
fn refused(table: &[(&str, &str)]) {
    for (input, construct) in table {
        let options = lakatos_c::Options::default();
        let source = lakatos_ir::Source::new("t.c", *input);
        let failure = lakatos_c::compile(source, &options).err();
        let failure = failure.unwrap_or_else(|| panic!("accepted: {input}"));
        let mut problems = failure.diagnostics.iter();
        let named =
            problems.any(|d| d.severity == Severity::Unsupported && d.message.contains(construct));
        assert!(named, "{input}\n{:?}", failure.diagnostics);
    }
}

/// The violation that a run shows when the program is watched for a property.
fn violated(property: Property, input: &str) -> Option<String> {
    let program = lower(input).unwrap_or_else(|problems| panic!("{input}\n{problems}"));
    let program = pass::replayed(&program, Some(property));
    match run(&program, &Options::default().watching(property), &mut Zeros).outcome {
        Outcome::Violated(violation) => Some(violation.message),
        _ => None,
    }
}

/// The expected output is that of GCC at `-O0` and `-O2`; Clang agrees where it knows ranges.
#[test]
fn initialisers() {
    let text = include_str!("programs/initialisers.c");
    let program = lower(&format!("int printf(const char *, ...);\n{text}")).expect("a program");
    let run = run(&program, &Options::default(), &mut Zeros);
    let output = String::from_utf8_lossy(&run.output);
    expect![[r#"
        f5 f2 5 2
        f3 0 3
        f1 f2 1 2
        g 8 9
        f1 f2 1 2
        f1 f2 f3 1 0 1 2 3
        f5 5 2 2
        f5 7 5 7
        f1 f2 1 2 2 1
        f2 2 2
        f1 f2 f3 1 2 3 0
        f3 f2 f4 3 2 0 4
        f6 f2 6 2 6 6
        f1 1 1 0
        f3 0 0 3
        1 0
        axc
        abc
        abc axc 0
        f1 f2 1 2
        0 1 2
        4 5
        f0 0 0
        f1 0 1
        5 2 2 0 0
        Exited(29)
    "#]]
    .assert_eq(&format!("{output}{:?}\n", run.outcome));
}

#[test]
fn initialisers_on_which_compilers_differ() {
    let value = "a part of a structure that has a value already";
    let range = "a part of what a designated range initialises";
    refused(&[
        (
            "struct i { int x, y; } v; int main(void) { struct { struct i i; } o = { .i = v, .i.x = 5 }; return o.i.x; }",
            value,
        ),
        (
            "struct i { int x, y; } v; int main(void) { struct { struct { struct i i; } j; } o = { .j.i = v, .j.i = { .y = 1 } }; struct i a[1] = { [0] = v, [0].y = 2 }; return o.j.i.x + a[0].x; }",
            value,
        ),
        (
            "int f(void); struct i { int x, y; }; int main(void) { struct i a[2] = { [0 ... 1] = { f(), 2 }, [0].x = 5 }; return a[0].y; }",
            range,
        ),
        ("int main(void) { int a[1] = { 1, 2, [0] = 3 }; return a[0]; }", "after more values"),
        (
            "int main(void) { int a[2][2] = { [0 ... 1] = 1, 2 }; return a[0][0]; }",
            "range of aggregates without braces",
        ),
    ]);
}

#[test]
fn object_sizes() {
    fine(&[
        "int main(void) { char b[10]; return __builtin_object_size(b, 0) != 10; }",
        "int main(void) { char b[10]; return __builtin_object_size(&b[3], 1) != 7; }",
        "int main(void) { char b[10]; return __builtin_object_size(b + 3, 2) != 7; }",
        "int main(void) { char b[10]; return __builtin_object_size(&b[12], 0) != 0; }",
        "int main(void) { int n = 0; char b[3]; return __builtin_object_size(b + n++, 0) != -1UL || n; }",
        "int main(void) { int n = 0; char b[3]; return __builtin_object_size(b + n++, 2) != 0; }",
        "struct s { int a; char c[6]; int d; } g; int main(void) { return __builtin_object_size(g.c, 0) != 12; }",
        "int main(void) { return __builtin_dynamic_object_size(\"abc\", 0) != 4; }",
        "int main(void) { return __builtin_constant_p(\"abc\") != 1; }",
        "int g; int main(void) { return __builtin_constant_p(&g); }",
        "int main(void) { int n = 0; return __builtin_constant_p(n++) || n; }",
        "int main(void) { int a[4]; return (char *)(__builtin_assume_aligned(a, 4) + 1) - (char *)a != 1; }",
    ]);
    refused(&[
        (
            "int n; int main(void) { return __builtin_expect(1, n++); }",
            "a side effect in an argument for the optimiser",
        ),
        (
            "struct s { int a[3]; }; int main(void) { int i = 1; return __builtin_offsetof(struct s, a[i]); }",
            "`offsetof` with an index",
        ),
    ]);
}

/// Values on which compilers differ by optimisation come from outside.
#[test]
fn values_that_the_compiler_chooses() {
    for input in [
        "int main(void) { char b[3], *p = b; return __builtin_object_size(p, 0) != 3; }",
        "int main(void) { char b[3]; return __builtin_object_size(b + 1, 1) != 2; }",
        "struct s { char a[2], b[3]; } s; int main(void) { return __builtin_object_size(s.a, 1) != 2; }",
        "int main(void) { const int x = 3; return __builtin_constant_p(x); }",
        "int f(int x) { return __builtin_constant_p(x); } int main(void) { return f(2); }",
        "int main(void) { __asm__ volatile(\"syscall\" ::: \"rax\"); return 1; }",
    ] {
        let program = lower(input).unwrap_or_else(|problems| panic!("{input}\n{problems}"));
        let run = run(&program, &Options::default(), &mut Zeros);
        let mut inputs = run.inputs.iter();
        assert!(inputs.any(|taken| taken.kind == InputKind::Assembly), "{input}");
    }
    let barrier =
        "int main(void) { __asm__ volatile(\"\" ::: \"memory\"); __asm__(\"nop\"); return 0; }";
    let program = lower(barrier).expect("a program");
    assert!(run(&program, &Options::default(), &mut Zeros).inputs.is_empty());
}

#[test]
fn assembly_and_registers() {
    let register = "a variable in a register that the program names";
    refused(&[
        ("__asm__(\".set b, a\"); int main(void) { return 0; }", "assembly at file scope"),
        (
            "int main(void) { __asm__ volatile(\"int $3\" ::: \"memory\"); return 0; }",
            "assembly that changes memory",
        ),
        ("register long r __asm__(\"rbx\"); int main(void) { return r; }", register),
        (
            "int main(void) { register long r __asm__(\"r12\") = 5; __asm__(\"movq $6, %%r12\" ::: \"r12\"); return r; }",
            register,
        ),
        (
            "void f(void) {} int main(void) { register long r __asm__(\"rdi\") = 5; f(); return r; }",
            register,
        ),
    ]);
    fine(&[
        "__asm__(\"# nothing\\n /* at all */ \"); __asm__(\".globl x\"); int main(void) { return 0; }",
        "register long r __asm__(\"rbx\"); int main(void) { return 0; }",
        "int main(void) { __asm__ goto(\"\" :::: l); l: return 0; }",
        "int main(void) { __asm__ goto(\"jmp %l0\" :::: l, m); l: return 0; m: return 1; }",
        "int main(void) { register long r __asm__(\"rdi\") = 1; return r - 1; }",
        "int main(void) { register long r __asm__(\"rdi\") = 1; __asm__(\"nop\" : \"+r\"(r)); return 0; }",
    ]);
}

#[test]
fn constants_are_not_written_to() {
    undefined(
        Undefined::ReadOnly,
        &[
            "const int c = 1; int main(void) { *(int *)&c = 2; return c; }",
            "int main(void) { const int c = 1; int *p = (int *)&c; *p = 2; return c; }",
            "int main(void) { static const int c[2] = { 1, 2 }; ((int *)c)[1] = 2; return 0; }",
            "void *memset(void *, int, unsigned long); const char c[4] = \"abc\"; int main(void) { memset((void *)c, 0, 2); return 0; }",
            "void f(const int c) { *(int *)&c = 2; } int main(void) { f(1); return 0; }",
            "int main(void) { char *s = \"abc\"; s[1] = 'x'; return 0; }",
        ],
    );
    fine(&[
        "int main(void) { int s = 0; for (int i = 0; i < 3; i++) { const int c = i; const int *p = &c; s += *p; } return s - 3; }",
        "struct s { int a, b; }; struct s f(void) { struct s s = { 1, 2 }; return s; } int main(void) { const struct s s = f(); const int *p = &s.b; return *p - 2; }",
        "int f(const int a[2]) { int *p = (int *)a; p[1] = 0; return p[1]; } int main(void) { int a[2]; return f(a); }",
        "int x = 4; int main(void) { const int *p = &x; *(int *)p = 0; return x; }",
        "struct s { const int a; int b; }; int main(void) { struct s s = { 1, 2 }; int *p = &s.b; *p = 0; return s.b; }",
    ]);
}

#[test]
fn arrays_of_variable_length_end() {
    undefined(
        Undefined::Dangling,
        &[
            "int main(void) { int n = 2, *p; { int a[n]; a[0] = 1; p = a; } return *p; }",
            "int main(void) { int n = 2, *p = 0; for (int i = 0; i < 2; i++) { if (p) return *p; int a[n]; a[0] = 0; p = a; } return 0; }",
            "int main(void) { int n = 1, *p = 0, k = 0; l: { int a[n]; a[0] = k; if (k == 0) { p = a; k = 1; goto l; } return *p; } }",
            "int main(void) { int n = 1, *p = 0, k = 0; l:; int a[n]; a[0] = k; if (k == 0) { p = a; k = 1; goto l; } return *p; }",
            "int main(void) { int n = 1, *p = 0; do { int a[n]; a[0] = 0; p = a; continue; } while (0); return *p; }",
        ],
    );
    undefined(
        Undefined::Unreachable,
        &[
            "int main(void) { int n = -1; int a[n]; return 0; }",
            "int main(void) { long n = 1L << 60; long a[n][2]; return 0; }",
            "int main(void) { unsigned long n = 1UL << 61; long a[n]; return 0; }",
            "int main(void) { long n = 1L << 31; char a[n][n][2]; return 0; }",
        ],
    );
    fine(&[
        "int main(void) { int s = 0; for (int i = 1; i < 4; i++) { int a[i]; a[i - 1] = i; s += a[i - 1]; } return s - 6; }",
        "int main(void) { int k = 0; l:; int n = k + 1; int a[n]; a[k] = k; if (k < 3) { k++; goto l; } return a[3] - 3; }",
        "int main(void) { int n = 2, m = 3; int a[n][m]; a[1][2] = 0; int *p = a[1]; return p[2]; }",
        "int main(void) { int n = 0; int a[n]; return sizeof a; }",
    ]);
}

#[test]
fn indices_of_arrays_of_variable_length() {
    for (input, expected) in [
        ("int main(void) { int n = 3; int a[n]; a[n] = 1; return 0; }", true),
        ("int main(void) { int n = 3; int a[n]; a[n - 1] = 1; return 0; }", false),
        ("int main(void) { int n = 3; int a[n]; int *p = &a[n]; return p == a; }", false),
        ("int main(void) { int n = 3; int a[n]; int *p = &a[n + 1]; return p == a; }", true),
        ("int main(void) { int n = 3, i = -1; int a[n]; return a[i + 0]; }", true),
        ("int main(void) { int n = 2, m = 3; int a[n][m]; a[0][m] = 1; return 0; }", true),
        ("int main(void) { int n = 2, m = 3; int a[n][m]; a[n][0] = 1; return 0; }", true),
        ("int main(void) { int n = 2, m = 3; int a[n][m]; a[1][2] = 1; return 0; }", false),
        ("int main(void) { int n = 2, j = 4; int a[n][4]; a[1][j] = 1; return 0; }", true),
        ("int main(void) { int n = 3; int a[n]; n = 9; return *(a + 4) = 0; }", true),
        (
            "int f(int n, int a[n]) { return a[n]; } int main(void) { int a[4] = { 0 }; return f(3, a); }",
            false,
        ),
        (
            "int f(int n, int a[][n]) { return a[0][n]; } int main(void) { int a[2][3] = { 0 }; return f(3, a); }",
            true,
        ),
    ] {
        let found = violated(Property::ArrayBounds, input);
        assert_eq!(found.is_some(), expected, "{input}\n{found:?}");
    }
}

/// As `-fsanitize=shift` has it for C11.
#[test]
fn left_shifts() {
    for (input, expected) in [
        ("int main(void) { int n = -1; return n << 1; }", true),
        ("int main(void) { int n = 1; return (n << 31) == 0; }", true),
        ("int main(void) { int n = 1; return (n << 30) == 0; }", false),
        ("int main(void) { int n = 3; n <<= 30; return 0; }", true),
        ("int main(void) { unsigned n = 3; n <<= 31; return 0; }", false),
        ("int main(void) { int n = -8; return n >> 1; }", false),
        ("int main(void) { unsigned char c = 200; return (c << 8) == 0; }", false),
        ("int main(void) { long n = 1; return (n << 62) == 0; }", false),
    ] {
        assert_eq!(violated(Property::NoOverflow, input).is_some(), expected, "{input}");
    }
    fine(&["int main(void) { int n = -1; return (n << 1) + 2; }"]);
}

#[test]
fn wide_bit_fields() {
    let construct = "arithmetic in the width of a bit-field wider than `int`";
    let program = |e: &str| {
        format!(
            "struct s {{ unsigned long a : 40; long b : 33; int c : 3; }} s, t; long x; int main(void) {{ return {e}; }}"
        )
    };
    for e in [
        "(s.a << 1) == 0",
        "s.a + 1 == 0",
        "-s.a == 0",
        "~s.b == 0",
        "s.a + t.a == 0",
        "s.a < -1",
        "s.a == s.c",
        "(x ? s.a : 1) == 0",
    ] {
        refused(&[(&program(e), construct)]);
    }
    for e in [
        "s.a + x",
        "s.a != 0",
        "s.a != t.a",
        "s.b < x",
        "s.a * 1.5 > 2",
        "s.c + 0",
        "(s.a = 5) - 5UL",
        "s.a > 7",
        "x = s.b",
    ] {
        fine(&[&program(e)]);
    }
}
