//! Proofs by complete execution: what all runs decide, and what no run tells.

use lakatos_check::{Budget, Executed, Instrumented, Kind, Outcome, check, execute_all};
use lakatos_evidence::{Assumption, Draft, Runs};
use lakatos_ir::{DataModel, Program, Property, SignedOverflow, Source};
use lakatos_logic::smt::{Limits, Smt};

use Property::{
    ArrayBounds, DivByZero, NoOverflow, NullDeref, UninitialisedRead, UnreachCall, UseAfterFree,
    ValidDeref, ValidFree, ValidMemsafety, ValidMemtrack,
};

const HEAD: &str = "extern void reach_error(void); extern void abort(void); void exit(int);
extern int __VERIFIER_nondet_int(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned short __VERIFIER_nondet_ushort(void); extern void __VERIFIER_assume(int);
extern unsigned __VERIFIER_nondet_uint(void); extern float __VERIFIER_nondet_float(void);
extern void *__VERIFIER_nondet_pointer(void);
typedef unsigned long size_t; void *malloc(size_t); void *calloc(size_t, size_t);
void *realloc(void *, size_t); void free(void *); void *memset(void *, int, size_t);
void *memcpy(void *, const void *, size_t); void *memmove(void *, const void *, size_t);
int memcmp(const void *, const void *, size_t); size_t strlen(const char *);
int strcmp(const char *, const char *); char *strchr(const char *, int);
void *memchr(const void *, int, size_t); int printf(const char *, ...);
static void check(int c) { if (!c) reach_error(); }
";

const BUDGET: Budget = Budget { runs: 1 << 10, steps: 1 << 20 };

/// What comes of making all runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    /// A proof by so many runs.
    Proof(u64),
    Violation,
    /// No proof, since a run does not tell all.
    Open,
    Unfinished,
}

fn compile(text: &str, model: DataModel) -> Program {
    let source = Source::new("t.c", format!("{HEAD}{text}"));
    lakatos_c::compile(source, &lakatos_c::Options::of_model(model))
        .unwrap_or_else(|failure| panic!("{text}: {:?}", failure.diagnostics))
}

fn executed(program: &Program, property: Property) -> Executed {
    execute_all(program, property, SignedOverflow::Undefined, BUDGET, &mut |_| true)
}

fn end(executed: &Executed) -> End {
    match executed {
        Executed::Proved(checked) => {
            End::Proof(checked.proof().runs().expect("it consists of runs").runs)
        }
        Executed::Violating(_) => End::Violation,
        Executed::Open(_) => End::Open,
        Executed::Unfinished { .. } => End::Unfinished,
        Executed::Stopped => panic!("it goes on"),
    }
}

#[track_caller]
fn expect_in(model: DataModel, cases: &[(Property, End, &str)]) {
    let mut wrong = Vec::new();
    for (property, expected, text) in cases {
        let found = executed(&compile(text, model), *property);
        if end(&found) != *expected {
            wrong.push(format!("{property}: {expected:?} expected: {text}\n{found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[track_caller]
fn expect(cases: &[(Property, End, &str)]) {
    expect_in(DataModel::Lp64, cases);
}

#[test]
fn programs_without_inputs() {
    expect(&[
        (UnreachCall, End::Proof(1), "int main(void) { return 0; }"),
        (UnreachCall, End::Violation, "int main(void) { reach_error(); }"),
        // The bits of 1.0f, as the compiler has them.
        (
            UnreachCall,
            End::Proof(1),
            "int main(void) { union { float f; unsigned u; } x; x.f = 1.0f;
               check(x.u == 0x3f800000u); }",
        ),
        (
            UnreachCall,
            End::Proof(1),
            "struct s { int a : 3; unsigned b : 5; _Bool c : 1; };
             int main(void) { struct s s; s.a = -1; s.b = 40; s.c = 6;
               check(s.a == -1 && s.b == 8 && s.c == 1); }",
        ),
        (
            UnreachCall,
            End::Proof(1),
            "int main(void) { double d = 0.1 + 0.2; check(d != 0.3 && (float) d == 0.3f); }",
        ),
        (
            UnreachCall,
            End::Proof(1),
            "int main(void) { char a[] = \"abcdef\"; memmove(a + 1, a, 4);
               check(strchr(a, 'd') == a + 4 && a[5] == 'f' && !strchr(a, 'z')); }",
        ),
        (
            ValidMemsafety,
            End::Proof(1),
            "struct n { struct n *next; int v; } *head;
             int main(void) { for (int i = 0; i < 9; i++) { struct n *n = malloc(sizeof *n);
                 n->next = head; n->v = i; head = n; }
               while (head) { struct n *n = head; head = n->next; free(n); } }",
        ),
        // Arguments of `main` that are not read; there are at least none of them.
        (UnreachCall, End::Proof(2), "int main(int n, char **v) { return 0; }"),
        (UnreachCall, End::Proof(2), "int main(int n, char **v) { check(n >= 0); }"),
        (UnreachCall, End::Open, "int main(int n, char **v) { check(!n || v); }"),
        (UnreachCall, End::Unfinished, "int main(void) { while (1) {} }"),
        (UnreachCall, End::Open, "int f(int n) { return f(n + 1); } int main(void) { f(0); }"),
    ]);
}

#[test]
fn few_inputs() {
    expect(&[
        (
            UnreachCall,
            End::Proof(256),
            "int main(void) { unsigned char x = __VERIFIER_nondet_uchar(), g = x ^ x >> 1, y = g;
               for (int i = 1; i < 8; i *= 2) y ^= y >> i; check(y == x); }",
        ),
        (
            UnreachCall,
            End::Violation,
            "int main(void) { unsigned char x = __VERIFIER_nondet_uchar(), g = x ^ x >> 1, y = g;
               for (int i = 1; i < 4; i *= 2) y ^= y >> i; check(y == x); }",
        ),
        // The last value of the type counts.
        (
            UnreachCall,
            End::Violation,
            "int main(void) { unsigned char x = __VERIFIER_nondet_uchar();
               check((x & 0x0f) != 15 || (x >> 4) != 15); }",
        ),
        (
            UnreachCall,
            End::Violation,
            "int main(void) { char x = __VERIFIER_nondet_char(); int y = x; check(y * 1 != -128); }",
        ),
        // The assumption divides what the input may be; ten values are left, and two ways out.
        (
            UnreachCall,
            End::Proof(12),
            "int main(void) { int x = __VERIFIER_nondet_int();
               __VERIFIER_assume(x > 0 && x <= 10); check(x * x <= 100); }",
        ),
        (
            UnreachCall,
            End::Violation,
            "int main(void) { int x = __VERIFIER_nondet_int();
               __VERIFIER_assume(x > 0 && x <= 10); check(x * x < 100); }",
        ),
        // Through a function, and a conversion that keeps all values.
        (
            NoOverflow,
            End::Proof(5),
            "void need(int c) { if (!c) abort(); }
             int main(void) { int x = __VERIFIER_nondet_int(); long y = x;
               need(y >= -1 && y < 2); return x + 1; }",
        ),
        // A value that is compared and never computed with needs no run of its own.
        (
            UnreachCall,
            End::Proof(3),
            "int main(void) { int x = __VERIFIER_nondet_int(), y = x;
               if (x < 5) check(y < 5); else if (x == 5) check(y >= 5); else check(5 < y); }",
        ),
        (
            UnreachCall,
            End::Violation,
            "int main(void) { int x = __VERIFIER_nondet_int(), y = x;
               if (x < 5) check(y < 5); else check(y > 5); }",
        ),
        // Two different inputs from one place.
        (
            UnreachCall,
            End::Violation,
            "int main(void) { _Bool a[2]; for (int i = 0; i < 2; i++) a[i] = __VERIFIER_nondet_bool();
               check(a[0] == a[1]); }",
        ),
        (
            UnreachCall,
            End::Open,
            "int main(void) { int x = __VERIFIER_nondet_int(); check((x & 1) < 2); }",
        ),
        (
            UnreachCall,
            End::Unfinished,
            "int main(void) { unsigned short x = __VERIFIER_nondet_ushort(); check((x & 1) < 2); }",
        ),
        (
            UnreachCall,
            End::Open,
            "int main(void) { unsigned x = __VERIFIER_nondet_uint(); check((unsigned char) x < 256); }",
        ),
        (UnreachCall, End::Open, "int main(void) { check(__VERIFIER_nondet_float() != 1.5f); }"),
        (UnreachCall, End::Open, "int main(void) { check(__VERIFIER_nondet_pointer() == 0); }"),
    ]);
}

#[test]
fn conversions_that_change_the_value_are_no_comparison_of_it() {
    expect(&[
        (
            UnreachCall,
            End::Violation,
            "int main(void) { char x = __VERIFIER_nondet_char(); check((unsigned char) x < 200); }",
        ),
        (
            UnreachCall,
            End::Violation,
            "int main(void) { unsigned char x = __VERIFIER_nondet_uchar(); check((signed char) x >= 0); }",
        ),
        (
            UnreachCall,
            End::Open,
            "int main(void) { int x = __VERIFIER_nondet_int(); check((unsigned) x < 4000000000u); }",
        ),
        (
            UnreachCall,
            End::Violation,
            "int main(void) { unsigned char x = __VERIFIER_nondet_uchar(); _Bool b = x; check(!b || x == 1); }",
        ),
    ]);
}

#[test]
fn what_was_never_written_has_no_value() {
    expect(&[
        (UnreachCall, End::Open, "int main(void) { int x; check(x == 0); }"),
        (UnreachCall, End::Proof(1), "int main(void) { int x, y[3]; x = 1; y[2] = x; check(y[2]); }"),
        (UnreachCall, End::Open, "int main(void) { int y[3]; y[2] = 1; check(y[1] == 0); }"),
        (UnreachCall, End::Open, "int main(void) { unsigned char y[3]; y[2] = 1; check(y[1] == 0); }"),
        (UnreachCall, End::Open, "int main(void) { char *p = malloc(2); p[0] = 0; check(!p[1]); }"),
        (
            UnreachCall,
            End::Open,
            "int main(void) { unsigned char *p = malloc(2); p[0] = 0; check(!p[1]); }",
        ),
        (
            UnreachCall,
            End::Open,
            "int main(void) { char *p = malloc(2), *q = calloc(2, 1); p[0] = 0;
               check(memcmp(p, q, 2) == 0); }",
        ),
        (
            UnreachCall,
            End::Open,
            "int main(void) { char *p = malloc(2); p[0] = 0; check(memchr(p, 1, 2) == 0); }",
        ),
        (
            UnreachCall,
            End::Open,
            "int main(void) { unsigned char *p = calloc(2, 1), *q = realloc(p, 4); check(!q[3]); }",
        ),
        (
            UnreachCall,
            End::Proof(1),
            "int main(void) { unsigned char *p = calloc(2, 1), *q = realloc(p, 4); check(!q[1]); }",
        ),
        (UnreachCall, End::Open, "int f(void) {} int main(void) { check(f() == 0); }"),
        // Each time its block is entered.
        (
            UnreachCall,
            End::Open,
            "int main(void) { for (int i = 0; i < 2; i++) { int x; if (!i) x = 1; check(x); } }",
        ),
        (
            UnreachCall,
            End::Open,
            "int f(int set) { unsigned char x[1]; if (set) x[0] = 7; return x[0]; }
             int main(void) { f(1); check(f(0) == 7); }",
        ),
        (UninitialisedRead, End::Violation, "int main(void) { int x; return x; }"),
        (
            UninitialisedRead,
            End::Open,
            "int main(void) { unsigned char x[1], y; y = x[0]; if (y) y = 1; }",
        ),
        (UninitialisedRead, End::Proof(1), "int main(void) { int x[2]; x[1] = 1; return x[1]; }"),
        // Padding, after an initialiser and after an assignment.
        (
            UnreachCall,
            End::Open,
            "struct s { char c; int i; };
             int main(void) { struct s s = {1, 2}; check(((unsigned char *) &s)[1] == 0); }",
        ),
        (
            UnreachCall,
            End::Open,
            "struct s { char c; int i; };
             int main(void) { struct s s, t; memset(&s, 0, sizeof s); t = s;
               check(((unsigned char *) &t)[2] == 0); }",
        ),
        (
            UnreachCall,
            End::Open,
            "struct s { char c; int i; }; struct s f(void) { struct s s = {1, 2}; return s; }
             int main(void) { struct s a = f(), b = f(); check(memcmp(&a, &b, sizeof a) == 0); }",
        ),
        (
            UnreachCall,
            End::Proof(1),
            "struct s { short c, d; int i; }; struct s f(void) { struct s s = {1, 2, 3}; return s; }
             int main(void) { struct s a = f(), b = f(); check(memcmp(&a, &b, sizeof a) == 0); }",
        ),
        (
            UnreachCall,
            End::Open,
            "struct s { unsigned a : 3; };
             int main(void) { struct s s = {1}; check(*(unsigned char *) &s == 1); }",
        ),
        (
            UnreachCall,
            End::Open,
            "int main(void) { union { char c; int i; } u = {0}; check(u.i == 0); }",
        ),
    ]);
}

#[test]
fn addresses_decide_nothing() {
    expect(&[
        (UnreachCall, End::Open, "int x; int main(void) { check((size_t) &x > 4096); }"),
        (UnreachCall, End::Open, "int x; int main(void) { check(((size_t) &x & 3) == 0); }"),
        (UnreachCall, End::Open, "int x, *p = &x; int main(void) { check(*(size_t *) &p != 7); }"),
        (UnreachCall, End::Open, "int x, *p = &x; int main(void) { check(*(char *) &p != 7); }"),
        (
            UnreachCall,
            End::Open,
            "int x, *p = &x; int main(void) { size_t n; memcpy(&n, &p, sizeof n); check(n > 9); }",
        ),
        // Half of a pointer is left behind when eight bytes are written across it.
        (
            UnreachCall,
            End::Open,
            "int x; struct __attribute__((packed)) s { int a; long b; int c; };
             union u { int *p[2]; struct s s; } u;
             int main(void) { u.p[0] = &x; u.s.b = 0; check(u.s.a != 12345); }",
        ),
        (
            UnreachCall,
            End::Open,
            "int a[1], b[1]; int main(void) { check(a + 1 != b && b + 1 != a); }",
        ),
        (
            UnreachCall,
            End::Open,
            "int main(void) { int *p = malloc(4); free(p); int *q = malloc(4); check(p != q); }",
        ),
        (
            UnreachCall,
            End::Open,
            "int *f(void) { int x; return &x; } int *g(void) { int y; return &y; }
             int main(void) { check(f() != g()); }",
        ),
        (
            UnreachCall,
            End::Open,
            "int main(void) { char *p = malloc(1), *q = realloc(p, 1); check(p != q); }",
        ),
        (
            UnreachCall,
            End::Open,
            "int main(void) { const char *p = \"ab\", *q = \"ab\"; check(p != q); }",
        ),
        (UnreachCall, End::Open, "int x; int main(void) { check(&x != (int *) 4096); }"),
        (UnreachCall, End::Open, "int main(void) { *(int *) 4096 = 1; }"),
        (UnreachCall, End::Open, "int a, b; int main(void) { check(&a < &b || &b < &a); }"),
        (UnreachCall, End::Open, "void f(void); void g(void); int main(void) { check(f != g); }"),
        // What C says of addresses is no question.
        (
            UnreachCall,
            End::Proof(1),
            "int a[4], b; void f(void) {} void g(void) {}
             int main(void) { int *p = malloc(4); if (!p) return 1;
               check(&a[1] < &a[3] && &a[3] - a == 3 && p != &b && p != a && f != g);
               check((size_t) &((struct { int x, y; } *) 0)->y == 4); }",
        ),
    ]);
}

#[test]
fn results_of_which_c_tells_a_range() {
    expect(&[
        (UnreachCall, End::Violation, "int main(void) { check(strcmp(\"b\", \"a\") != 2); }"),
        (UnreachCall, End::Violation, "int main(void) { check(memcmp(\"a\", \"b\", 1) == -1); }"),
        (
            UnreachCall,
            End::Proof(1),
            "int main(void) { check(strcmp(\"b\", \"a\") > 0 && strcmp(\"a\", \"b\") < 0
               && memcmp(\"ab\", \"ac\", 1) == 0); }",
        ),
        (UnreachCall, End::Violation, "int main(void) { int n = printf(\"ab\"); check(n == 2); }"),
        (UnreachCall, End::Proof(1), "int main(void) { printf(\"%d\", 7); check(1); }"),
    ]);
}

#[test]
fn other_files_and_assembly() {
    expect(&[
        (UnreachCall, End::Open, "int other(void); int main(void) { other(); }"),
        (UnreachCall, End::Open, "extern _Bool other; int main(void) { return other; }"),
        (
            UnreachCall,
            End::Open,
            "int main(void) { char x; __asm__(\"movb $1, %0\" : \"=r\"(x)); check(x != 2); }",
        ),
        (UnreachCall, End::Proof(1), "int other(void); int main(void) { if (0) other(); }"),
        // Left to right is one of several orders.
        (
            UnreachCall,
            End::Open,
            "int g; int f(int x) { g = x; return g; } int main(void) { check(f(1) - f(2) == -1 && g == 2); }",
        ),
        (
            UnreachCall,
            End::Open,
            "void h(int x) {} void r(int x) { reach_error(); } void (*p)(int) = h;
             int set(void) { p = r; return 1; } int main(void) { p(set()); }",
        ),
    ]);
}

#[test]
fn floats() {
    expect(&[
        (
            UnreachCall,
            End::Open,
            "int main(void) { double z = 0.0, n = z / z; check(*(long *) &n < 0); }",
        ),
        (
            UnreachCall,
            End::Proof(1),
            "int main(void) { double z = 0.0, n = z / z; check(n != n); }",
        ),
        (
            UnreachCall,
            End::Open,
            "int main(void) { long double a = 1, b = 3; check(a / b != 0.25L); }",
        ),
        (
            UnreachCall,
            End::Open,
            "int main(void) { long double a = 1; check(((unsigned char *) &a)[12] == 0); }",
        ),
        (UnreachCall, End::Open, "int main(void) { double d = 1e30; check((int) d == 0); }"),
    ]);
    let x87 = "int main(void) { float a = 1.0f, b = 3.0f; check(a / b == 1.0f / 3.0f); }";
    expect(&[(UnreachCall, End::Proof(1), x87)]);
    expect_in(DataModel::Ilp32, &[(UnreachCall, End::Open, x87)]);
}

#[test]
fn each_property_is_watched() {
    expect(&[
        (NoOverflow, End::Violation, "int main(void) { int x = 2147483647; x++; }"),
        (NoOverflow, End::Proof(1), "int main(void) { unsigned x = 4294967295u; x++; }"),
        (DivByZero, End::Violation, "int z; int main(void) { return 1 / z; }"),
        (DivByZero, End::Proof(1), "int z = 1; int main(void) { return 1 % z; }"),
        (ArrayBounds, End::Violation, "int a[2], i = 2; int main(void) { return a[i]; }"),
        (ArrayBounds, End::Proof(1), "int a[2], i = 1; int main(void) { return a[i]; }"),
        (ValidDeref, End::Violation, "int main(void) { char *p = malloc(1); p[1] = 0; }"),
        (ValidDeref, End::Violation, "int main(void) { int *p = 0; return *p; }"),
        (ValidDeref, End::Proof(1), "int main(void) { char *p = malloc(1); p[0] = 0; }"),
        (ValidFree, End::Violation, "int main(void) { char *p = malloc(1); free(p); free(p); }"),
        (ValidFree, End::Open, "int main(void) { char *p = malloc(1); p[1] = 0; free(p); }"),
        (ValidFree, End::Proof(1), "int main(void) { char *p = malloc(1); free(p); free(0); }"),
        (ValidMemtrack, End::Violation, "int main(void) { char *p = malloc(1); }"),
        (ValidMemtrack, End::Proof(1), "char *p; int main(void) { p = malloc(1); }"),
        // It may be lost, or held by a local: a run that ends early does not tell.
        (ValidMemtrack, End::Violation, "int main(void) { malloc(1); exit(0); }"),
        (ValidMemtrack, End::Open, "int main(void) { malloc(1); abort(); }"),
        (NullDeref, End::Violation, "int main(void) { int *p = 0; return *p; }"),
        (NullDeref, End::Open, "int main(void) { int *p = malloc(4); free(p); return *p; }"),
        (UseAfterFree, End::Violation, "int main(void) { int *p = malloc(4); free(p); *p = 1; }"),
        (UseAfterFree, End::Open, "int main(void) { int *p = 0; return *p; }"),
        // Error functions end a run, whatever the property.
        (NoOverflow, End::Proof(1), "int main(void) { int x = 2147483647; reach_error(); x++; }"),
    ]);
}

fn assumed(text: &str, property: Property) -> Vec<Assumption> {
    match executed(&compile(text, DataModel::Lp64), property) {
        Executed::Proved(checked) => checked.proof().assumptions().iter().cloned().collect(),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn undefined_arithmetic_ends_a_run_where_that_is_assumed() {
    let overflows = "int x = 2147483647; int main(void) { x++; reach_error(); }";
    let does_not = "int x = 2147483646; int main(void) { x++; }";
    let shifts = "int n = 40; int main(void) { n = 1 << n; reach_error(); }";
    let nothing: Vec<Assumption> = Vec::new();
    assert_eq!(assumed(overflows, UnreachCall), [Assumption::SignedOverflow]);
    assert_eq!(assumed(does_not, UnreachCall), nothing);
    assert_eq!(assumed(does_not, NoOverflow), nothing);
    assert_eq!(assumed(shifts, UnreachCall), [Assumption::UndefinedBehaviour]);
    let heap = "int main(void) { free(malloc(1)); }";
    assert_eq!(assumed(heap, ValidMemsafety), [Assumption::Allocation]);
    expect(&[
        // What memory does after that is not known.
        (UnreachCall, End::Open, "int a[2], i = 2; int main(void) { a[i] = 1; reach_error(); }"),
        (UnreachCall, End::Open, "int main(void) { char *p = 0; *p = 1; reach_error(); }"),
        (UnreachCall, End::Open, "int main(void) { char *p = \"a\"; *p = 1; reach_error(); }"),
        (
            UnreachCall,
            End::Open,
            "int main(void) { char a[4] = \"abc\"; memcpy(a, a + 1, 3); reach_error(); }",
        ),
        (
            UnreachCall,
            End::Open,
            "struct s { int a[4]; }; union { struct { int x; struct s s; } p; struct s s; } u;
             int main(void) { u.s = u.p.s; reach_error(); }",
        ),
    ]);
}

#[test]
fn the_checker_makes_the_runs_again() {
    let text = "int main(void) { unsigned char x = __VERIFIER_nondet_uchar(); check(x + 1 > x); }";
    let program = compile(text, DataModel::Lp64);
    let Executed::Proved(checked) = executed(&program, UnreachCall) else { panic!("{text}") };
    let claimed = checked.proof().runs().expect("it consists of runs");
    let claim = |program: &Program, runs: Runs, property: Property| {
        let subject = Instrumented::executed(program, property, runs);
        let proof = Draft::new(subject.program(), UnreachCall).finish().of_runs(runs);
        let mut smt = Smt::new(Limits::default());
        match check(&subject, proof, SignedOverflow::Undefined, &mut smt) {
            Outcome::Checked(_) => None,
            Outcome::Rejected(rejected) => Some(rejected.condition.kind),
            Outcome::Undecided(undecided) => panic!("{undecided:?}"),
        }
    };
    assert_eq!(claim(&program, claimed, UnreachCall), None);
    let Runs { runs, steps } = claimed;
    for other in [
        Runs { runs: runs - 1, steps },
        Runs { runs: runs + 1, steps },
        Runs { runs, steps: steps - 1 },
        Runs { runs, steps: steps + 1 },
        Runs { runs: 0, steps: 0 },
    ] {
        assert_eq!(claim(&program, other, UnreachCall), Some(Kind::AllRuns), "{other:?}");
    }
    assert_eq!(claim(&program, claimed, NoOverflow), Some(Kind::AllRuns));
    let violating = compile(&text.replace("> x", "> 1"), DataModel::Lp64);
    assert_eq!(claim(&violating, claimed, UnreachCall), Some(Kind::AllRuns));
    let overflows = compile("int x = 2147483647; int main(void) { x++; }", DataModel::Lp64);
    let Executed::Proved(checked) = executed(&overflows, UnreachCall) else { panic!("no proof") };
    let claimed = checked.proof().runs().expect("it consists of runs");
    let missing = Some(Kind::Assumes(Assumption::SignedOverflow));
    assert_eq!(claim(&overflows, claimed, UnreachCall), missing);
}
