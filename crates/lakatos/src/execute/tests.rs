//! Small programs, each with the inputs that lead to a violation: replayed, compiled and run.

use lakatos_ir::interpret::{Keyed, Options};
use lakatos_ir::pass;
use lakatos_ir::{DataModel, SignedOverflow, Source};

use super::*;

/// Inputs by the name of their source (a second one of the same name is `name#2`), how often it
/// was passed before, and the element.
type Values<'a> = &'a [(&'a str, u32, u64, i128)];

const BOTH: &[DataModel] = &[DataModel::Ilp32, DataModel::Lp64];
const UNREACH: Property = Property::UnreachCall;

fn no_compiler() -> bool {
    let missing = Command::new(Compiler::from_env().program).arg("--version").output().is_err();
    if missing {
        eprintln!("skipped: there is no C compiler to confirm refutations with");
    }
    missing
}

fn harness_of(
    text: &str,
    property: Property,
    model: DataModel,
    signed_overflow: SignedOverflow,
    values: Values,
) -> Result<Harness, String> {
    let source = Source::new("t.c", text);
    let program = lakatos_c::compile(source, &lakatos_c::Options::of_model(model))
        .unwrap_or_else(|failure| panic!("{:?}\n{text}", failure.diagnostics));
    let mut inputs = Keyed::default();
    for &(name, occurrence, element, value) in values {
        let (name, number) = name.split_once('#').unwrap_or((name, "1"));
        let mut sites = program.sites.iter().filter(|(_, site)| site.name == name);
        let site = sites.nth(number.parse::<usize>().unwrap() - 1);
        let (site, _) = site.unwrap_or_else(|| panic!("no input {name}\n{text}"));
        inputs.insert(site, occurrence, element, value);
    }
    let instrumented = pass::replayed(&program, Some(property));
    let options = Options { signed_overflow, ..Options::default() };
    let refutation = Refutation::replay(&instrumented, property, &options, &inputs)
        .unwrap_or_else(|reason| panic!("{}\n{text}", reason.describe(&program.source)));
    Harness::new(&program, &refutation, signed_overflow).map_err(|reason| reason.to_string())
}

fn check_in(models: &[DataModel], text: &str, property: Property, values: Values) {
    for &model in models {
        let harness = harness_of(text, property, model, SignedOverflow::Undefined, values).unwrap();
        let execution = execute(&harness, None).unwrap();
        assert_eq!(execution, Execution::Confirmed, "{model:?}\n{}", harness.text);
    }
}

/// The violation happens in the compiled program, in both data models.
fn check(text: &str, values: Values) {
    check_in(BOTH, text, UNREACH, values);
}

/// The same in one data model, now this one and now the other.
fn check_each(texts: &[(String, Property, i128)]) {
    for (i, (text, property, value)) in texts.iter().enumerate() {
        let values: &[_] = &[("__VERIFIER_nondet_int", 0, 0, *value)];
        check_in(&BOTH[i % 2..][..1], text, *property, values);
    }
}

/// The body of `main`, with the usual declarations.
fn check_body(body: &str, values: Values) {
    check(&format!("{USUAL}int main(void) {{ {body}\n return 0; }}\n"), values);
}

const USUAL: &str = "
    extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
    extern long long __VERIFIER_nondet_longlong(void); extern _Bool __VERIFIER_nondet_bool(void);
    extern unsigned char __VERIFIER_nondet_uchar(void); extern double __VERIFIER_nondet_double(void);
    extern float __VERIFIER_nondet_float(void); extern char *__VERIFIER_nondet_pointer(void);
    extern void __VERIFIER_assume(int); void abort(void);
    typedef unsigned long size_t; void *malloc(size_t); void *calloc(size_t, size_t);
    void *realloc(void *, size_t); void *alloca(size_t); void free(void *);
    struct pair { char a; long b[2]; unsigned low : 3, mid : 7; };
    typedef struct pair pair; pair make(int); pair *find(int, int); int rate(int, int);
    typedef int (*function)(int); function choose(void); void note(int);
";

#[test]
fn results_of_nondet_functions() {
    if no_compiler() {
        return;
    }
    check_body(
        "if (__VERIFIER_nondet_int() == -7 && __VERIFIER_nondet_longlong() == -5000000000LL
             && __VERIFIER_nondet_bool() && __VERIFIER_nondet_uchar() == 200
             && __VERIFIER_nondet_double() == 2.5 && __VERIFIER_nondet_float() == -1.5f
             && __VERIFIER_nondet_pointer() != 0) reach_error();",
        &[
            ("__VERIFIER_nondet_int", 0, 0, -7),
            ("__VERIFIER_nondet_longlong", 0, 0, -5_000_000_000),
            ("__VERIFIER_nondet_bool", 0, 0, 1),
            ("__VERIFIER_nondet_uchar", 0, 0, 200),
            ("__VERIFIER_nondet_double", 0, 0, 2.5_f64.to_bits().into()),
            ("__VERIFIER_nondet_float", 0, 0, (-1.5_f32).to_bits().into()),
            ("__VERIFIER_nondet_pointer", 0, 0, 4096),
        ],
    );
}

#[test]
fn places_of_the_same_function_are_told_apart() {
    if no_compiler() {
        return;
    }
    let body = "int s = 0; for (int i = 0; i < 4; i++) s = 10 * s + __VERIFIER_nondet_int();
        int t = __VERIFIER_nondet_int(), u = __VERIFIER_nondet_int();
        if (s == 1034 && t == 5 && u == 6) reach_error();";
    let int = "__VERIFIER_nondet_int";
    let second = "__VERIFIER_nondet_int#2";
    let third = "__VERIFIER_nondet_int#3";
    let values: Values =
        &[(int, 0, 0, 1), (int, 2, 0, 3), (int, 3, 0, 4), (second, 0, 0, 5), (third, 0, 0, 6)];
    check_body(body, values);
}

#[test]
fn functions_without_a_body() {
    if no_compiler() {
        return;
    }
    // Arguments are evaluated, and may take inputs of their own.
    check_body(
        "pair p = make(1); int n = 1;
         int r = rate(n++, rate(n, /* ) */ __VERIFIER_nondet_int()\n ) ); note(n++);
         if (p.a == 4 && p.b[1] == -9 && p.mid == 100 && !p.low && make(2).b[1] == 8
             && find(1, /* , */ 2) != 0 && !find(3, 4) && choose() != 0 && n == 3 && r == 8)
             reach_error();",
        &[
            ("make", 0, 0, 4),
            ("make", 0, 2, -9),
            ("make", 0, 4, 100),
            ("make#2", 0, 2, 8),
            ("find", 0, 0, 64),
            ("choose", 0, 0, 64),
            ("rate#2", 0, 0, 8),
        ],
    );
    check("int main() { return rate(3) == 8 ? reach_error() : 0; }", &[("rate", 0, 0, 8)]);
}

#[test]
fn variables_without_a_value() {
    if no_compiler() {
        return;
    }
    check_body(
        "int x, y; register unsigned char r; const int c; int (*f)(int, int), z = 4; double d;
         int a[2][3] __attribute__((aligned(8))), *p = 0; pair s; union { char c; int i; } u;
         int n = 3, v[n];
         if (!x && y == 7 && r == 200 && c == 3 && f && d == 0.5 && a[1][2] == 5 && !a[0][1]
             && s.b[0] == 1 && s.mid == 9 && u.c == 2 && v[1] == 256 && !v[0]) reach_error();",
        &[
            ("y", 0, 0, 7),
            ("r", 0, 0, 200),
            ("c", 0, 0, 3),
            ("f", 0, 0, 64),
            ("d", 0, 0, 0.5_f64.to_bits().into()),
            ("a", 0, 5, 5),
            ("s", 0, 1, 1),
            ("s", 0, 4, 9),
            ("u", 0, 0, 258),
            ("v", 0, 5, 1),
        ],
    );
    check_body(
        "for (int i = 0; i < 3; i++) { int x; if (i == 2 && x == 6) reach_error(); x = 9; }",
        &[("x", 2, 0, 6)],
    );
}

#[test]
fn fresh_memory() {
    if no_compiler() {
        return;
    }
    check_body(
        "int *p = malloc(8), *q = calloc(2, 4); char *r = realloc(0, 2);
         r[1] = 5; r = realloc(r, 4); free(q); char *s = alloca(3), *t = __builtin_alloca(3);
         if (p[0] == 0 && p[1] == 513 && r[1] + r[3] == 12 && s[2] == 7 && !s[1] && !t[2])
             reach_error();",
        &[("malloc", 0, 4, 1), ("malloc", 0, 5, 2), ("realloc#2", 0, 3, 7), ("alloca", 0, 2, 7)],
    );
}

#[test]
fn missing_results() {
    if no_compiler() {
        return;
    }
    let text = "int f(int x) { if (x) return; } extern void reach_error();
        void *g() { f(1); /* } */ } int *h() {}
        int main() { if (f(0) == 3 && f(1) == 4 && g() && !h()) reach_error(); }";
    check(text, &[("f#2", 0, 0, 3), ("f", 0, 0, 4), ("g", 0, 0, 64)]);
}

#[test]
fn objects_and_arguments_from_outside() {
    if no_compiler() {
        return;
    }
    let text = "struct s { int a, b; }; extern struct s outer; extern const int limit;
        extern void *stderr; void reach_error(void);
        int main(int argc, char **argv) { extern int inner[3];
            if (argc == 3 && !argv && outer.b == 4 && limit == 5 && inner[2] == 6 && !stderr)
                reach_error(); }";
    check(text, &[("argc", 0, 0, 3), ("outer", 0, 1, 4), ("limit", 0, 0, 5), ("inner", 0, 2, 6)]);
    check("void main(argc) int argc; { if (argc == 2) reach_error(); }", &[("argc", 0, 0, 2)]);
}

#[test]
fn errors_of_every_shape() {
    if no_compiler() {
        return;
    }
    let texts = [
        "void reach_error() {} int main(void) { reach_error(); }",
        "void reach_error() { assert(0); } int main(void) { (reach_error()); }",
        "int main(void) { int x = __VERIFIER_nondet_int(); assert(x != 3); return 0; }",
        "void __VERIFIER_error(void); int main(void) { 1 ? __VERIFIER_error() : (void)0; }",
        "extern void __assert_fail(const char *, const char *, unsigned, const char *)
             __attribute__((noreturn));
         int main(void) { ((void)sizeof(1), ({ if (0) ; else
             __assert_fail(\"0\", \"t.c\", 3, __extension__ __PRETTY_FUNCTION__); })); }",
        // By a pointer.
        "void reach_error(void); int main(void) { void (*f)(void) = reach_error; f(); }",
        "void reach_error(void) {} int main(void) { void (*f)(void) = reach_error; f(); }",
    ];
    let unused = "int unused(void) { return __VERIFIER_nondet_int(); }";
    check_each(&texts.map(|text| (format!("{text}\n{unused}\n"), UNREACH, 3)));
}

#[test]
fn names_that_collide() {
    if no_compiler() {
        return;
    }
    check(
        "int __lakatos_v, __lakatos_main, linux, unix = 3; extern void reach_error(void);
         int calloc(void) { return 1; } static int write(int x) { return x; }
         struct main { int main; }; void _exit(int x) { unix += x; }
         inline int twice(int x) { return 2 * x; } extern int errno, environ;
         int main(void) { struct main main = { 4 }; _exit(1); void *p = malloc(3);
             if (twice(main.main) == 8 && write(calloc()) && unix == 4 && p) reach_error(); }",
        &[],
    );
}

#[test]
fn runs_that_are_deep_or_long() {
    if no_compiler() {
        return;
    }
    let recursive = "int f(int n) { int x = __VERIFIER_nondet_int();
        return n == 0 ? x : f(n - 1) + x; }
        int main() { if (f(20000) == 7) reach_error(); }";
    check(recursive, &[("__VERIFIER_nondet_int", 3, 0, 3), ("__VERIFIER_nondet_int", 20000, 0, 4)]);
    check("int n; int main() { if (++n == 4) reach_error(); main(); }", &[]);
    let values: Vec<_> = (0..100_000).map(|i| ("__VERIFIER_nondet_int", i, 0, 1)).collect();
    let text = "int main() { int s = 0;
        for (int i = 0; i < 100001; i++) s += __VERIFIER_nondet_int();
        if (s == 100000) reach_error(); }";
    check_in(&[DataModel::Lp64], text, UNREACH, &values);
}

#[test]
fn functions_of_the_library() {
    if no_compiler() {
        return;
    }
    check(
        "typedef unsigned long size_t; size_t strlen(const char *); int printf(const char *, ...);
         void *memcpy(void *, const void *, size_t); void *memset(void *, int, size_t);
         char *strcpy(char *, const char *); int strcmp(const char *, const char *);
         char *strstr(const char *, const char *); char *strncat(char *, const char *, size_t);
         int puts(const char *); int memcmp(const void *, const void *, size_t); void reach_error();
         char *strrchr(const char *, int); void unused_and_undefined(void);
         int main(void) { char a[20], b[20]; memset(a, 'x', 20); strcpy(a, \"hello\");
             memcpy(b, a, 20); strncat(b, \", world\", 3); puts(a);
             int n = printf(\"%s %5d%c %lld %x\\n\", a, -42, 'c', 1LL << 40, 255u);
             if (0) unused_and_undefined();
             if (strlen(b) == 8 && !strcmp(b, \"hello, w\") && strstr(b, \", w\") == b + 5
                 && memcmp(a, b, 5) == 0 && strrchr(a, 'l') == a + 3 && n == 30) reach_error();
             return 0; }",
        &[],
    );
}

#[test]
fn overflows() {
    if no_compiler() {
        return;
    }
    let operations = [
        ("x + 2000000000", 2_000_000_000),
        ("-2000000000 - x", 2_000_000_000),
        ("x * x", 65536),
        ("-x", i128::from(i32::MIN)),
        ("x / -1", i128::from(i32::MIN)),
        ("x % -1", i128::from(i32::MIN)),
        ("x++", i128::from(i32::MAX)),
        ("x -= 2", i128::from(i32::MIN)),
        ("(long long)x * 4611686018427387904LL", 2),
        ("0x7fffffffffffffffLL +\n x", 1),
        // What the compiler would compute itself.
        ("2147483647 + 1", 0),
        ("(65536) * /* large */ (32768)", 0),
        ("(x + -1) + 23", i128::from(i32::MIN)),
        ("-x - 1", i128::from(i32::MIN)),
        ("int y = (x + 1) - 1", i128::from(i32::MAX)),
    ];
    check_each(&operations.map(|(operation, value)| {
        let x = "int x = __VERIFIER_nondet_int();";
        let text = format!("{USUAL}int main(void) {{\n {x}\n {operation};\n}}\n");
        (text, Property::NoOverflow, value)
    }));
}

#[test]
fn divisions_and_indices() {
    if no_compiler() {
        return;
    }
    let declared = "int a[3], m[2][4]; struct { int n; int t[2]; } s;";
    let text = |operation: &str| {
        format!(
            "{USUAL}{declared}\nint main(void) {{ int x = __VERIFIER_nondet_int();
             {operation};\n return 0; }}\n"
        )
    };
    let divisions = ["7 / x", "7u % x", "7LL / x", "1 / 0"];
    check_each(&divisions.map(|division| (text(division), Property::DivByZero, 0)));
    let accesses = ["a[x] = 1", "m[1][x + 1]", "m[x - 1][3]", "s.t[x]", "(&s)->t[x - 1]", "a[3]"];
    check_each(&accesses.map(|access| (text(access), Property::ArrayBounds, 3)));
}

#[test]
fn wrapping_is_compiled_as_such() {
    if no_compiler() {
        return;
    }
    let text = format!("{USUAL}int main(void) {{ int x; if (x + 1 < x) reach_error(); }}");
    let values: Values = &[("x", 0, 0, i32::MAX as i128)];
    for &model in BOTH {
        let harness = harness_of(&text, UNREACH, model, SignedOverflow::Wrap, values).unwrap();
        assert_eq!(execute(&harness, None).unwrap(), Execution::Confirmed, "{}", harness.text);
    }
}

#[test]
fn wide_integers() {
    if no_compiler() {
        return;
    }
    let text = "__int128 __VERIFIER_nondet_int128(void); void reach_error(void);
        int main(void) { unsigned __int128 y; __int128 x = __VERIFIER_nondet_int128();
            if (x == -3 && y >> 100 == 1) reach_error(); }";
    let values: Values = &[("__VERIFIER_nondet_int128", 0, 0, -3), ("y", 0, 0, 1 << 100)];
    check_in(&[DataModel::Lp64], text, UNREACH, values);
}

/// Lines are those of the user's files, whatever the preprocessor made of them.
#[test]
fn preprocessed_text() {
    if no_compiler() {
        return;
    }
    let text = "# 1 \"dir/a.c\"\n# 1 \"<built-in>\"\n# 7 \"dir/a.h\" 1\nint x;\n# 2 \"dir/a.c\" 2
        int main(void) { int y = 2147483647;
        # 9 \"dir/a.c\"
        return y +
            1; }\n";
    check_in(BOTH, text, Property::NoOverflow, &[]);
}

#[test]
fn what_cannot_be_edited_is_refused() {
    let refused = |text: &str, values: Values| {
        let text = format!("{USUAL}{text}");
        harness_of(&text, UNREACH, DataModel::Lp64, SignedOverflow::Undefined, values).unwrap_err()
    };
    assert_eq!(
        refused("int main(void) { if ((rate)(1, 2) == 3) reach_error(); }", &[("rate", 0, 0, 3)]),
        "t.c:12:22: this is not a call of `rate`"
    );
    assert_eq!(
        refused(
            "int main(void) { goto a; { int x; a: if (x == 3) reach_error(); } }",
            &[("x", 0, 0, 3)]
        ),
        "t.c:12:18: a jump past the declaration of `x`, which is not 0"
    );
    assert_eq!(
        refused("int main(void) { int x = x; if (x == 3) reach_error(); }", &[("x", 0, 0, 3)]),
        "t.c:12:22: this is not a declaration of `x` without value"
    );
}

/// An execution that shows something else is never taken for a confirmation.
#[test]
fn what_is_not_confirmed() {
    if no_compiler() {
        return;
    }
    let text = format!("{USUAL}int main(void) {{ if (rate(1, 2) == 3) reach_error(); abort(); }}");
    let values: Values = &[("rate", 0, 0, 3)];
    let harness = harness_of(&text, UNREACH, DataModel::Lp64, SignedOverflow::Undefined, values);
    let harness = harness.unwrap();
    let ran = |from: &str, to: &str| {
        assert!(harness.text.contains(from), "{}", harness.text);
        let text = harness.text.replace(from, to);
        execute(&Harness { text, ..harness.clone() }, None).unwrap()
    };
    let contradicted = |how: &str| Execution::Contradicted(how.to_owned());
    assert_eq!(ran("== 3", "== 3"), Execution::Confirmed);
    assert_eq!(
        ran("== 3) ", "== 4) return 0; else return 1; "),
        contradicted("the program ends without a violation")
    );
    assert_eq!(ran("== 3) ", "== 4)"), contradicted("the program is ended by SIGABRT"));
    assert_eq!(
        ran("#define __LAKATOS_EXPECTED 0", "#define __LAKATOS_EXPECTED 1"),
        contradicted("another violation: `reach_error` is called at t.c:12:39")
    );
    assert!(matches!(ran("int main(void) { if", "int main(void) { xif"),
        Execution::Impossible(reason) if reason.starts_with("it does not compile: ")));
    assert!(matches!(ran("== 3) ", "== 3) for (;;) __lakatos_calloc(0, 1, 1 << 28); "),
        Execution::Impossible(reason) if reason == "there is not enough memory"));
}

/// Nothing sees that `x` was never written; nor is it a contradiction, however the program ends.
#[test]
fn reads_of_what_was_never_written_are_not_confirmed() {
    for body in ["int x; if (__VERIFIER_nondet_int()) x = 1;\n return x;", "int *p;\n return *p;"] {
        let text = format!("{USUAL}\nint main(void) {{ {body} }}\n");
        let (property, overflow) = (Property::UninitialisedRead, SignedOverflow::Undefined);
        let harness = harness_of(&text, property, DataModel::Lp64, overflow, &[]).unwrap();
        assert!(harness.text.contains("no sanitizer of GCC sees such a read"), "{}", harness.text);
        assert!(!harness.text.contains("It prints the violation"), "{}", harness.text);
        if !no_compiler() {
            assert_eq!(execute(&harness, None).unwrap(), Execution::Impossible(UNSEEN.to_owned()));
        }
    }
}

#[test]
fn several_properties_several_files() {
    let path = |path: &str, several| {
        path_for(Path::new(path), several, Property::NoOverflow).display().to_string()
    };
    assert_eq!(path("a/out.c", false), "a/out.c");
    assert_eq!(path("a/out.c", true), "a/out.no-overflow.c");
    assert_eq!(path("out", true), "out.no-overflow");
}

/// What is wrong with memory, and the property that it violates, in the body of `main`.
const MISUSES: &[(&str, Property)] = &[
    ("int a[4]; for (int i = 0; i < 5; i++)\n a[i] = i;", Property::ValidDeref),
    ("int a[4], *p = a + 2;\n p[-3] = 1;", Property::ValidMemsafety),
    ("char *p = malloc(10);\n p[10] = 1;", Property::ValidDeref),
    ("int *p = malloc(4), *q = p; free(p);\n *q = 1;", Property::UseAfterFree),
    ("int *p = malloc(4), *q = p; free(p);\n free(q);", Property::ValidFree),
    ("char *p = malloc(8);\n free(p + 1);", Property::ValidFree),
    ("int x;\n free(&x);", Property::ValidFree),
    ("int *p = 0; if (__VERIFIER_nondet_int() == 0)\n *p = 1;", Property::NullDeref),
    ("int *p = malloc(4); realloc(p, 8);\n *p = 1;", Property::ValidDeref),
    ("int *p = malloc(4); p = realloc(p, 8);\n p[2] = 1;", Property::ValidDeref),
    ("int *p; { int x[3]; p = x; }\n p[1] = 1;", Property::UseAfterFree),
    ("char a[4], b[8] = {0};\n memcpy(a, b, 8);", Property::ValidDeref),
    ("char a[3] = {'a', 'b', 'c'};\n return strlen(a);", Property::ValidDeref),
    ("char a[3];\n strcpy(a, \"abc\");", Property::ValidDeref),
    ("held = malloc(12);\n held = 0;", Property::ValidMemtrack),
    ("note_local();\n *held = 1;", Property::ValidDeref),
];

#[test]
fn misuse_of_memory_is_seen_by_the_sanitizer() {
    if no_compiler() {
        return;
    }
    let head = "void *memcpy(void *, const void *, size_t); size_t strlen(const char *);
        char *strcpy(char *, const char *); int *held;
        void note_local(void) { int x = 1; held = &x; }";
    for (body, property) in MISUSES {
        let text = format!("{USUAL}{head}\nint main(void) {{ {body}\n return 0; }}\n");
        let overflow = SignedOverflow::Undefined;
        let harness = harness_of(&text, *property, DataModel::Lp64, overflow, &[]).unwrap();
        match execute(&harness, None).unwrap() {
            Execution::Impossible(reason) if reason.contains("cannot be linked") => {
                eprintln!("skipped: the compiler has no address sanitizer");
                return;
            }
            execution => assert_eq!(execution, Execution::Confirmed, "{}", harness.text),
        }
    }
}
