//! What cannot be lowered stands in the way only where the program can reach it.

use expect_test::expect;
use lakatos_ir::Procedure;
use lakatos_ir::library::LibraryRole;

use crate::{check, lower};

const NESTED: &str = "int sum(int n, ...) {
  int inner(void) { return 1; }
  return n;
}
";

#[test]
fn reached() {
    check(
        &format!("{NESTED}int main(void) {{ return sum(1, 2); }}"),
        expect![[r#"
            t.c:2:3: Unsupported: nested functions
        "#]],
    );
    check(
        &format!("{NESTED}int (*p)(int, ...) = sum; int main(void) {{ return 0; }}"),
        expect![[r#"
            t.c:2:3: Unsupported: nested functions
        "#]],
    );
}

#[test]
fn not_reached() {
    check(
        &format!(
            "{NESTED}int also_dead(void) {{ return sum(2, 3, 4); }} int main(void) {{ return 0; sum(1, 2); }}"
        ),
        expect![[r#"
            in0: external int sum in also_dead @5:30

            int also_dead(void)
                temp int $1
              l0 entry @5:23
                $1 = sum(2, 3, 4) @in0 -> l2
              l1 exit @5:44
              l2 @5:23
                return $1 -> l1

            int main(void)
              l0 entry @5:63
                return 0 -> l1
              l1 exit @5:84

            extern int sum(int, ...)
        "#]],
    );
}

#[test]
fn constructs() {
    check(
        "int fork(void); void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
int less(const void *a, const void *b) { return a < b; }
double d; double _Complex z;
int main(void) {
  long env[8]; if (fork()) return 1;
  qsort(env, 8, 8, less);
  z = z * 2;
  return 0;
}",
        expect![[r#"
            t.c:1:5: Warning: there is no model of `fork` yet: nothing is known after a call of it
            t.c:1:22: Warning: `qsort` sorts by insertion here: equal elements keep their order
            t.c:5:20: Unsupported: `fork`
        "#]],
    );
}

fn refusal(text: &str) -> String {
    lower(text).err().unwrap_or_default()
}

/// What the functions without a body may call.
fn called_back(text: &str) -> Vec<String> {
    let program = lower(text).unwrap_or_else(|refusal| panic!("{text}\n{refusal}"));
    let called = |proc: &Procedure| match proc.library {
        Some(LibraryRole::CallsBack(called)) => Some(program.procs[called].name.clone()),
        Some(
            LibraryRole::Forwarder
            | LibraryRole::Model
            | LibraryRole::Unmodelled(_)
            | LibraryRole::LostJump,
        )
        | None => None,
    };
    program.procs.iter().filter_map(|(_, proc)| called(proc)).collect()
}

/// Functions of the program that one without a body may call: as an argument, behind `void *`, in
/// an object, as a number; and a function without a body behind a pointer.
#[test]
fn callbacks() {
    const HEAD: &str =
        "void reg(void *); void num(long); void sort(int (*)(void)); int f(void) { return 1; }
struct s { int x; int (*f)(void); };
";
    for body in [
        "sort(f);",
        "void *v = (void *)f; reg(v);",
        "struct s s = {1, f}; void *v = &s; reg(v);",
        "struct s *p = __builtin_malloc(sizeof *p); p->f = f; void *v = p; reg(v);",
        "num((long)f);",
        "void (*q)(int (*)(void)) = sort; q(f);",
    ] {
        let text = format!("{HEAD}int main(void) {{ {body} return 0; }}");
        assert_eq!(called_back(&text), ["f"], "{body}");
    }
    for body in ["struct s s = {1, 0}; void *v = &s; reg(v);", "int (*p)(void) = f; p(); reg(0);"] {
        let text = format!("{HEAD}int main(void) {{ {body} return 0; }}");
        assert!(called_back(&text).is_empty(), "{body}");
    }
}

/// Types that have a size and no meaning: only what computes with them stands in the way, and only
/// where the program reaches it.
#[test]
fn opaque_types() {
    const TYPES: &str = "typedef _Float16 v4 __attribute__((__vector_size__(16), __may_alias__));
typedef char large __attribute__((vector_size(128)));
static inline large sum(large a, large b) { return a + b; }
typedef long long m128i __attribute__((vector_size(16)));
struct both { char c; v4 v; };
extern v4 elsewhere;
v4 make(float, float);
static inline v4 add(v4 a, v4 b) { return (v4)(a + b); }
static inline v4 set(void) { return __extension__(v4){1, 2, 3, 4}; }
static inline m128i shifted(m128i a) { return (m128i)__builtin_ia32_pslldqi128(a, 8); }
static inline _Float16 half(_Float16 x) { return x * 2.0f16; }
static inline _Decimal64 money(_Decimal64 x) { return x * 1.1dd; }
static inline int wide(_BitInt(200) x, unsigned _BitInt(7) y) { return x < y + 1wb; }
static inline double imaginary(void) { return __real__(2i); }
";
    let sizes = "_Static_assert(sizeof(struct both) == 32 && _Alignof(v4) == 16, \"\");
_Static_assert(sizeof(_Float16) == 2 && sizeof(_Decimal128) == 16, \"\");
_Static_assert(sizeof(_BitInt(9)) == 2 && sizeof(_BitInt(65)) == 16 && _Alignof(_BitInt(65)) == 8, \"\");
";
    let fine = lower(&format!("{TYPES}{sizes}int main(void) {{ return sizeof(v4) - 16; }}"));
    let program = fine.expect("nothing of it is reached");
    assert!(program.warnings.is_empty(), "{:?}", program.warnings);
    for (body, what) in [
        ("set();", "vector types"),
        ("v4 (*f)(v4, v4) = add;", "vector types"),
        ("v4 x;", "vector types"),
        ("return elsewhere[0] > 1;", "vector types"),
        ("make(1, 2);", "vector types"),
        ("struct both b; b.v[0] = 1;", "vector types"),
        ("void *p = shifted;", "the built-in function `__builtin_ia32_pslldqi128`"),
        ("large x = {1}; x = sum(x, x);", "vector types"),
        ("return half(1) > 1;", "`_Float16`"),
        ("money(2);", "decimal floating-point numbers"),
        ("return wide(1, 2);", "`_BitInt`"),
        ("return imaginary() > 1;", "complex integers"),
        ("return 3i == 1;", "complex integers"),
    ] {
        let text = format!("{TYPES}int main(void) {{ {body} return 0; }}");
        let expected = format!("Unsupported: {what}\n");
        assert!(refusal(&text).ends_with(&expected), "{body}\n{}", refusal(&text));
    }
    assert!(
        refusal("typedef char v __attribute__((vector_size(128))); v x; int main(void) {}")
            .contains("Unsupported: vector types")
    );
}

/// A function that cannot be understood is that function: not the library's of this name.
#[test]
fn left_out_and_still_there() {
    const BODY: &str = "{ int inner(void) { return 1; } return inner(); }";
    for text in [
        format!("int abs(int x) {BODY} int main(void) {{ return abs(1); }}"),
        format!(
            "unsigned long strlen(const char *s) {BODY} int main(void) {{ return strlen(\"\"); }}"
        ),
        format!(
            "int __VERIFIER_nondet_int(void) {BODY} int main(void) {{ return __VERIFIER_nondet_int(); }}"
        ),
        format!("int g(void) {BODY} int f(void) __asm__(\"g\"); int main(void) {{ return f(); }}"),
        format!(
            "int g(void) {BODY} int f(void) __attribute__((alias(\"g\"))); int main(void) {{ return f(); }}"
        ),
        format!("void reach_error(void) {BODY} int main(void) {{ reach_error(); }}"),
        format!("int f(void) {BODY} int (*p)(void) = f; int main(void) {{ return p(); }}"),
        format!("int f(void) {BODY} int g(int (*p)(void)); int main(void) {{ return g(f); }}"),
        format!("__attribute__((constructor)) void f(void) {BODY} int main(void) {{ }}"),
        format!("int main(void) {BODY}"),
    ] {
        assert!(refusal(&text).contains("Unsupported"), "{text}\n{}", refusal(&text));
    }
}

/// Where the rest of the text cannot be read, nothing is left out.
#[test]
fn nothing_is_left_out_before_the_end_of_the_text() {
    let text = "int f(void) {\n#pragma omp parallel\nreturn 0; }\nint main(void) { return 0; }";
    assert!(refusal(text).contains("Unsupported: `#pragma omp parallel`"), "{}", refusal(text));
}

/// C23 6.7.2.
#[test]
fn named_constants() {
    let good = "constexpr int N = 2 + 1; static constexpr unsigned char M = N * 2; constexpr double H = 0.5;
int a[N]; enum { E = M };
_Static_assert(sizeof a == 12 && E == 6 && H < 1, \"\");
int main(void) { constexpr long local = 4; switch (4) { case local: return a[N - 1]; } return 0; }";
    assert!(lower(good).is_ok(), "{}", refusal(good));
    assert!(lower("typedef int constexpr; constexpr x; int main(void) { return x; }").is_ok());
    for bad in ["int f(void); constexpr int n = f();", "constexpr int n;"] {
        assert!(refusal(&format!("{bad} int main(void) {{}}")).contains("Error"), "{bad}");
    }
}

/// `<tgmath.h>` as GCC expands it.
#[test]
fn generic_functions_of_math() {
    for (argument, chosen) in
        [("1.0f", "fabsf"), ("1.0", "fabs"), ("'a'", "fabs"), ("1.0L", "fabsl")]
    {
        let text = format!(
            "float fabsf(float); double fabs(double); long double fabsl(long double);
double cabs(double _Complex);
int main(void) {{ __builtin_tgmath(fabsf, fabs, fabsl, cabs, ({argument})); }}"
        );
        let program = lower(&text).unwrap_or_else(|refusal| panic!("{refusal}"));
        let has = |name: &str| {
            let is_model = |n: &str| n.strip_prefix("__lakatos_").unwrap_or(n) == name;
            program.procs.iter().any(|(_, proc)| is_model(&proc.name))
        };
        assert!(has(chosen), "{argument}");
    }
}

/// Other names for what is here.
#[test]
fn other_names() {
    for (text, expected) in [
        ("void g(void) {}\n#pragma weak f = g\nvoid f(void); int main(void) { f(); }", "`#pragma`"),
        ("int g, f __asm__(\"g\"); int main(void) { return f; }", "another name"),
    ] {
        let found = refusal(text);
        assert!(found.contains("Unsupported") && found.contains(expected), "{text}\n{found}");
    }
    for known in [
        "void g(void) __asm__(\"z\"); void g(void) {} void f(void) __asm__(\"z\");
          int main(void) { f(); }",
        "void g(void) {} void f(void) __attribute__((weak, alias(\"g\"))); int main(void) { f(); }",
        "void g(void) {} void f(void) __asm__(\"g\"); int main(void) { f(); }",
        "void g(void) {} void f(void) __attribute__((alias(\"g\"))); int main(void) { f(); }",
        "int main(void) { int i = 0; __sync_fetch_and_add(&i, 1); return i; }",
        "int main(void) { int i = 0; return __atomic_load_n(&i, 5); }",
    ] {
        assert!(!refusal(known).contains("Unsupported"), "{known}");
    }
    let plain = "int open(void) __asm__(\"open\" \"64\"); int open64(void); int main(void) { return open(); }";
    assert!(!refusal(plain).contains("Unsupported"));
}
