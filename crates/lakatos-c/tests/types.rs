//! Types, sizes, constants: static assertions that our checker accepts, and that the C compiler
//! accepts as well, for both data models.

use std::io::Write;
use std::process::{Command, Stdio};

use lakatos_c::{Options, check as check_source};
use lakatos_ir::{DataModel, Source};

/// `_Generic` that names the type of an expression.
const PRELUDE: &str = "
#define IS(type, e) _Static_assert(_Generic((e), type: 1, default: 0), #e)
#define HAS(c) _Static_assert(c, #c)
";

/// In GCC a member of no length has a size, and does not keep a union out of a register.
#[test]
fn members_of_no_length_do_not_raise_alignment() {
    for member in ["", "char m1[0];", "long double m1[0];", "struct { char a[3]; } m1[0];"] {
        let text = format!(
            "union u {{ _Atomic long long m0; {member} }}; _Static_assert(_Alignof(union u) == 4, \"\");"
        );
        let options = Options::of_model(DataModel::Ilp32);
        assert!(check_source(Source::new("t.c", text), &options).is_ok(), "{member}");
    }
}

/// Our front-end has no preprocessor: the two macros are expanded here.
fn expand(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let line = line.trim();
        let inner = |prefix| line.strip_prefix(prefix).and_then(|l| l.strip_suffix(");"));
        if let Some((ty, e)) = inner("IS(").and_then(|l| l.split_once(", ")) {
            out += &format!("_Static_assert(_Generic(({e}), {ty}: 1, default: 0), \"{ty}\");\n");
        } else if let Some(condition) = inner("HAS(") {
            out += &format!("_Static_assert({condition}, \"\");\n");
        } else {
            out += line;
            out.push('\n');
        }
    }
    out
}

fn compiler_accepts(text: &str, flag: &str) {
    let cc = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let mut child = Command::new(cc)
        .args([flag, "-w", "-std=gnu11", "-fsyntax-only", "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the tests need a C compiler");
    let mut stdin = child.stdin.take().expect("piped");
    write!(stdin, "{PRELUDE}{text}").expect("the compiler reads");
    drop(stdin);
    let output = child.wait_with_output().expect("the compiler ends");
    assert!(output.status.success(), "{flag}: {}", String::from_utf8_lossy(&output.stderr));
}

fn check(model: DataModel, flag: &str, text: &str) {
    compiler_accepts(text, flag);
    if let Err(failure) = check_source(Source::new("t.c", expand(text)), &Options::of_model(model))
    {
        for d in &failure.diagnostics {
            let line = failure.source.physical_line(d.span.start);
            let shown = failure.source.snippet(failure.source.physical_line_span(line));
            eprintln!("{model:?}: {} in: {shown}", d.message);
        }
        panic!("our checker does not agree with the compiler");
    }
}

fn both(text: &str) {
    check(DataModel::Lp64, "-m64", text);
    check(DataModel::Ilp32, "-m32", text);
}

#[test]
fn constants_have_the_first_type_that_fits() {
    both(
        "IS(int, 2147483647);
          IS(unsigned, 4294967295u);
          IS(unsigned, 0xffffffff);
          IS(unsigned, 037777777777);
          IS(unsigned long, 1ul);
          IS(long long, 1ll);
          IS(unsigned long long, 18446744073709551615ull);
          IS(unsigned long long, 1ULL);
          IS(int, 'a');
          IS(double, 1.5);
          IS(float, 1.5f);
          IS(long double, 1e3L);
          IS(int, 0b101);
          IS(double, 0x1.8p3);
          HAS('\\377' == -1);
          HAS('\\x41' == 65);
          HAS('ab' == 24930);
          HAS(0x1e +2 == 32);
          HAS(0x1.8p3 == 12.0);
          HAS(sizeof(\"abc\" \"de\") == 6);
          HAS(sizeof(u\"abc\") == 8);",
    );
    check(DataModel::Lp64, "-m64", "IS(long, 4294967295);\nIS(unsigned long, 0xffffffffffffffff);");
    check(DataModel::Ilp32, "-m32", "IS(long long, 4294967295);\nHAS(sizeof(long) == 4);");
}

#[test]
fn conversions() {
    both(
        "char c; signed char sc; unsigned char uc; short s; unsigned short us; int i;
          unsigned u; long l; unsigned long ul; long long ll; unsigned long long ull; float f;
          double d; long double ld; _Bool b; enum e { A, B } e; enum n { N = -1 } n;
          IS(int, c + c);
          IS(int, us * us);
          IS(int, +b);
          IS(int, -uc);
          IS(unsigned, i + u);
          IS(unsigned long, ul + i);
          IS(long long, ll + l);
          IS(unsigned long long, ull + ll);
          IS(float, f + ull);
          IS(double, d * f);
          IS(long double, ld - d);
          IS(unsigned, e + 0);
          IS(int, n + 0);
          IS(int, A);
          IS(int, us << l);
          IS(unsigned, u >> ll);
          IS(int, u < l);
          IS(int, !ld);
          IS(int, d && ld);
          IS(long long, 1 ? i : ll);
          IS(char, (c, c));
          IS(char, c = i);
          IS(char, c++);
          IS(unsigned char, uc += 1000);
          HAS((unsigned char)300 == 44);
          HAS((signed char)200 == -56);
          HAS((_Bool)256 == 1);
          HAS((_Bool)0.5 == 1);
          HAS((int)3.99 == 3);
          HAS(-1 > 0u);
          HAS(-7 / 2 == -3 && -7 % 2 == -1);
          HAS((-1 >> 1) == -1);
          HAS((0u - 1) / 2 == 2147483647);",
    );
    check(
        DataModel::Lp64,
        "-m64",
        "long l; unsigned u; __int128 q;\nIS(long, l + u);\nIS(__int128, q + l);
        HAS(sizeof(q) == 16 && _Alignof(__int128) == 16);\nHAS((unsigned __int128)-1 > 0);
        HAS((unsigned __int128)-1 / 2 == ((unsigned __int128)1 << 127) - 1);",
    );
    check(DataModel::Ilp32, "-m32", "long l; unsigned u;\nIS(unsigned long, l + u);");
}

#[test]
fn bit_fields_promote_by_their_width() {
    both(
        "struct s { unsigned a : 3; unsigned b : 32; unsigned c : 31; int d : 32; _Bool e : 1; } s;
          IS(int, +s.a);
          IS(unsigned, +s.b);
          IS(int, +s.c);
          IS(int, +s.d);
          IS(int, +s.e);
          IS(unsigned, s.b + s.d);
          IS(int, s.a << 1);",
    );
}

/// Regression: a cast to the declared type of a bit-field makes an ordinary value of it.
#[test]
fn a_cast_bit_field_is_no_bit_field() {
    both(
        "struct s { unsigned a : 3; } s;
          IS(unsigned, (unsigned)s.a + 0);
          IS(unsigned, +(unsigned)s.a);",
    );
}

#[test]
fn pointers_and_arrays() {
    both("int a[3]; int m[2][3]; int *p; const int *cp; void *v; struct s { int x[4]; } *s; int f(int);
          IS(int *, a + 1);
          IS(int *, &a[1]);
          IS(int, *a);
          IS(int, 1[a]);
          IS(int (*)[3], &a);
          IS(int (*)[3], m);
          IS(int *, m[1]);
          IS(int (*)[2][3], &m);
          IS(const int *, 1 ? p : cp);
          IS(void *, 1 ? p : v);
          IS(int *, 1 ? p : 0);
          IS(int *, 1 ? p : (void *)0);
          IS(int *, s->x);
          IS(int (*)(int), f);
          IS(int (*)(int), &f);
          IS(int (*)(int), *f);
          IS(int, f(1));
          IS(int, (*f)(1));
          HAS(sizeof a == 3 * sizeof(int) && sizeof m[0] == sizeof a);
          HAS(sizeof(a + 0) == sizeof(void *));
          HAS(sizeof(int[3][4]) == 48);
          HAS((char *)&((struct s *)0)->x[2] - (char *)0 == 8 || 1);
          HAS(__builtin_offsetof(struct s, x[2]) == 8);
          HAS(__builtin_types_compatible_p(int[], int[5]));
          HAS(!__builtin_types_compatible_p(char, signed char));");
}

#[test]
fn layouts() {
    both(
        "struct a { char c; int i; char d; };
          HAS(sizeof(struct a) == 12 && __builtin_offsetof(struct a, i) == 4);
          struct b { char c; short s; char d; } __attribute__((packed));
          HAS(sizeof(struct b) == 4);
          union u { char c[5]; int i; };
          HAS(sizeof(union u) == 8);
          struct f { int n; char tail[]; };
          HAS(sizeof(struct f) == 4);
          struct e { };
          HAS(sizeof(struct e) == 0);
          struct g { char c __attribute__((aligned(8))); int i; };
          HAS(sizeof(struct g) == 8 && _Alignof(struct g) == 8);
          struct h { unsigned a : 5, : 0, b : 3; unsigned char c; };
          HAS(sizeof(struct h) == 8 && __builtin_offsetof(struct h, c) == 5);
          struct h2 { short a : 8; int : 0; };
          HAS(sizeof(struct h2) == 4);
          struct i { char c : 4; int d : 30; short e : 9; };
          HAS(sizeof(struct i) == 12);
          struct j { struct { int x, y; }; union { char k; long long z; }; } j;
          HAS(__builtin_offsetof(struct j, z) == 8);
          struct k { char c; long long l; };
          struct l { long double d; char c; };
          struct n { char c; double d; };
          enum __attribute__((packed)) small { S1, S2 };
          HAS(sizeof(enum small) == 1);
          enum big { G = 4294967296 };
          HAS(sizeof(enum big) == 8 && G == 4294967296);
          typedef int dint __attribute__((mode(DI)));
          HAS(sizeof(dint) == 8);",
    );
    check(
        DataModel::Lp64,
        "-m64",
        "struct k { char c; long long l; }; struct l { long double d; char c; };
        HAS(sizeof(struct k) == 16 && sizeof(struct l) == 32 && sizeof(void *) == 8);
        HAS(_Alignof(long long) == 8 && sizeof(__builtin_va_list) == 24);",
    );
    check(DataModel::Ilp32, "-m32", "struct k { char c; long long l; }; struct l { long double d; char c; };
        HAS(sizeof(struct k) == 12 && sizeof(struct l) == 16 && sizeof(void *) == 4);
        HAS(_Alignof(long long) == 4 && __alignof__(long long) == 8 && sizeof(__builtin_va_list) == 4);");
}

/// GCC's layout, which the compiler confirms.
#[test]
fn layouts_with_attributes() {
    both(
        "#pragma pack(4)
          struct a { char c; int i __attribute__((aligned(8))); };
          HAS(sizeof(struct a) == 8 && _Alignof(struct a) == 4);
          struct b { unsigned char x : 5; unsigned char y : 6; };
          HAS(sizeof(struct b) == 2);
          #pragma pack(push, one, 1)
          struct c { char c; long long l; };
          HAS(sizeof(struct c) == 9);
          #pragma pack(pop, one)
          #pragma pack(8)
          struct d { signed char x : 3; char y : 7; unsigned z : 20; short s; };
          HAS(sizeof(struct d) == 8);
          #pragma pack()
          struct e { char x : 4; int y : 4; } __attribute__((ms_struct));
          HAS(sizeof(struct e) == 8);
          struct f { char c; _Atomic long long l; };
          HAS(sizeof(struct f) == 16 && _Alignof(_Atomic long long) == 8);
          struct g { char c; _Atomic(struct { char x[4]; }) l; };
          HAS(sizeof(struct g) == 8);
          enum h { H0, H1 } __attribute__((mode(QI)));
          HAS(sizeof(enum h) == 1 && (enum h)257 == H1);
          enum i { I0 = -1 } __attribute__((mode(DI)));
          HAS(sizeof(enum i) == 8 && (enum i)-1 < 0);
          typedef float j __attribute__((mode(DF)));
          HAS(sizeof(j) == 8);
          typedef int k __attribute__((aligned(1)));
          struct l { char c; k x; };
          HAS(sizeof(struct l) == 5 && sizeof(k) == 4 && _Alignof(k) == 1);
          typedef int m __attribute__((aligned(8), aligned(2)));
          HAS(_Alignof(m) == 2 && _Alignof(const m) == 2);
          struct n { char c; int * __attribute__((aligned(16))) p; } __attribute__((packed));
          HAS(sizeof(struct n) == 1 + sizeof(int *));
          struct o { char c; int *p __attribute__((aligned(16))); } __attribute__((packed));
          HAS(sizeof(struct o) == 32);
          struct p { int x; }; struct q { char c; struct p __attribute__((packed)) x; };
          HAS(sizeof(struct q) == 5);
          typedef unsigned char byte __attribute__((mode(SI)));
          HAS((byte)-1 == 4294967295u);",
    );
    check(
        DataModel::Ilp32,
        "-m32",
        "struct a { _Atomic long long l; }; struct b { char c; struct a x; };
        HAS(sizeof(struct b) == 12 && _Alignof(struct a) == 4);
        struct c { long long l : 64 __attribute__((aligned(2))); };
        HAS(_Alignof(struct c) == 8);
        typedef int word __attribute__((mode(word)));
        IS(int, (word)1);",
    );
    check(
        DataModel::Lp64,
        "-m64",
        "typedef int wide __attribute__((mode(DI)));
        IS(long, (wide)1);",
    );
}
