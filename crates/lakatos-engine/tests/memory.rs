//! Memory that is followed by cells: safe programs and their unsafe twins.

mod common;

use common::{End, compile, run};
use lakatos_engine::Bmc;
use lakatos_engine::horn::{Encoding, Horn};
use lakatos_engine::stack_cegar::StackCegar;
use lakatos_ir::{VarKind, interpret};
use lakatos_logic::smt::Limits;

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
    void *malloc(unsigned long); void *calloc(unsigned long, unsigned long);
    void *memset(void *, int, unsigned long);
    void check(int holds) { if (!holds) reach_error(); }\n";

const ENGINE: Horn = Horn {
    probe: false,
    limits: Limits { resources: Some(3_000_000), time: None },
    encoding: Encoding::Int,
};

fn stacks(probe: bool) -> StackCegar {
    StackCegar { probe, limits: ENGINE.limits, ..StackCegar::default() }
}

/// No engine says the wrong thing of a program, and one of them says the right thing.
#[track_caller]
fn check(text: &str, expect: End) {
    let text = format!("{HEAD}{text}");
    let ends =
        [run(&text, ENGINE, 300), run(&text, stacks(false), 300), run(&text, stacks(true), 300)];
    let ends = ends.map(|(end, _)| end);
    let may = |end: &End| *end == expect || *end == End::Unknown;
    assert!(ends.iter().all(may), "{ends:?}: {text}");
    assert!(ends.contains(&expect), "{ends:?}: {text}");
}

#[track_caller]
fn check_twins(text: &str, safe: &str, unsafe_: &str) {
    check(&text.replace('@', safe), End::Proof);
    check(&text.replace('@', unsafe_), End::Refutation);
}

/// Proved by Horn clauses, and refuted by a run: loops are too long for anything else.
#[track_caller]
fn check_long(text: &str, safe: &str, unsafe_: &str) {
    let text = format!("{HEAD}{text}");
    assert_eq!(run(&text.replace('@', safe), ENGINE, 300).0, End::Proof, "{text}");
    assert_eq!(run(&text.replace('@', unsafe_), stacks(true), 300).0, End::Refutation, "{text}");
}

#[test]
fn scalars_and_fields() {
    for (text, safe, unsafe_) in [
        ("int main(void) { int x = 0; int *p = &x; *p = 3; check(x == @); }", "3", "0"),
        // A parameter whose address is taken.
        (
            "void set(int *p) { *p = 5; }
             int f(int x) { int y = x; set(&x); return x + y; }
             int main(void) { check(f(2) == @); }",
            "7",
            "4",
        ),
        (
            "struct s { int a, b; } g; void set(struct s *p, int v) { p->b = v; }
             int main(void) { g.a = 1; set(&g, 2); check(g.a == 1 && g.b == @); }",
            "2",
            "1",
        ),
        // By value.
        (
            "struct s { int a, b; };
             int main(void) { struct s x = {1, 2}, y = x; x.a = 7; check(y.a == @); }",
            "1",
            "7",
        ),
        // A union is one place.
        (
            "union u { int a; int b; } g; int main(void) { g.a = 1; g.b = 2; check(g.a == @); }",
            "2",
            "1",
        ),
        // The result of a call, put where a pointer points to.
        (
            "int g; int *where(void) { g = 4; return &g; } int one(void) { g = 9; return 1; }
             int main(void) { *where() = one(); check(g == @); }",
            "1",
            "9",
        ),
    ] {
        check_twins(text, safe, unsafe_);
    }
}

/// A structure that is made once has a cell for each field, whatever points to it.
#[test]
fn structures_on_the_heap() {
    let head = "struct t { int z; }; struct s { char c; int a, b; struct t *t; };";
    for (text, safe, unsafe_) in [
        (
            "int main(void) { struct s *p = malloc(sizeof *p), *q = p; p->t = malloc(4); p->t->z = 3;
             q->a = 1; p->b = 2; q->t->z += q->a; check(p->a + p->b + p->t->z == @); }",
            "7",
            "6",
        ),
        // A machine whose state is behind two pointers.
        (
            "int main(void) { struct s *p = calloc(1, sizeof *p); p->t = malloc(4); p->t->z = 10;
             while (p->t->z != 14) { switch (p->t->z) {
                 case 10: p->t->z = 11; p->a = 1; break;
                 case 11: p->t->z = __VERIFIER_nondet_int() ? 12 : 13; break;
                 case 12: p->t->z = 14; p->b = p->a; break;
                 default: p->t->z = 12; } }
             check(p->b == @); }",
            "1",
            "0",
        ),
        // Two of them in a row are no such structure.
        (
            "int main(void) { struct s *p = malloc(2 * sizeof *p); p[1].a = 1; p[0].a = 2;
             check(p[@].a == 1); }",
            "1",
            "0",
        ),
    ] {
        check_twins(&format!("{head}{text}"), safe, unsafe_);
    }
    // Nor is one of several, made at one place.
    for (text, safe, unsafe_) in [
        (
            "struct s *make(int a) { struct s *p = malloc(sizeof *p); p->a = a; return p; }
             int main(void) { struct s *p = make(1), *q = make(2); q->a++; check(p->a == @); }",
            "1",
            "3",
        ),
        (
            "int main(void) { struct s *p = 0; for (int i = 0; i < 2; i++) {
                 struct s *q = malloc(sizeof *q); q->a = i; if (!p) p = q; }
             check(p->a == @); }",
            "0",
            "1",
        ),
    ] {
        let text = format!("{HEAD}{head}{text}");
        for (value, wrong) in [(safe, End::Refutation), (unsafe_, End::Proof)] {
            let text = text.replace('@', value);
            assert_ne!(run(&text, ENGINE, 300).0, wrong, "{text}");
            assert_ne!(run(&text, stacks(true), 300).0, wrong, "{text}");
        }
    }
}

/// What is in memory that was never written is an input like others, field by field.
#[test]
fn memory_that_was_never_written() {
    let head = "struct t { int z; }; struct s { char c; int a; long b; struct t *t; };";
    for (text, safe, unsafe_) in [
        (
            "int main(void) { struct s *p = malloc(sizeof *p); p->t = malloc(4);
             int a = p->a; long b = p->b;
             check(!(a == 1234567 && b == -a * 1000L && p->t->z == -9 && p->c @)); }",
            "> 127",
            "== 'x'",
        ),
        // A variable.
        (
            "void see(struct s *p) { check(!(p->a == 100001 && p->b @ 200002)); }
             int main(void) { struct s x; see(&x); }",
            "* 2 + 1 ==",
            "==",
        ),
    ] {
        check_twins(&format!("{head}{text}"), safe, unsafe_);
    }
    // The second time, where calls are written out.
    let text = "struct s *make(void) { return malloc(sizeof(struct s)); }
        int main(void) { struct s *p = make(), *q = make();
            check(!(p->a == 100001 && q->a == p->a @)); }";
    for (safe, expect) in [("- 100001 && q->a == 1", End::Proof), ("+ 1", End::Refutation)] {
        let text = format!("{HEAD}{head}{text}").replace('@', safe);
        assert_eq!(
            run(&text, Bmc { limits: ENGINE.limits, ..Bmc::default() }, 300).0,
            expect,
            "{text}"
        );
    }
}

/// The same in large arrays, of whose elements formulas do not say which input they are: some other
/// number than zero may do.
#[test]
fn large_arrays_that_were_never_written() {
    for (text, safe, unsafe_) in [
        ("int main(void) { unsigned a[10000]; unsigned t = 0; check(a[t] @); }", ">= 0", "== 0"),
        (
            "int main(void) { unsigned a[10000]; unsigned t = 0, i = __VERIFIER_nondet_int();
             if (i < 10000) { a[i] = i; t = i; @ } check(a[t] == t); }",
            "} else { return 0;",
            "",
        ),
        (
            "int main(void) { char *a = malloc(5000); int i = __VERIFIER_nondet_int();
             if (i < 0 || i >= 5000) return 0; a[7] = 1; check(a[i] @ || i == 3); }",
            "< 128",
            ">= 0",
        ),
    ] {
        check_twins(text, safe, unsafe_);
    }
}

#[test]
fn small_arrays() {
    for (text, safe, unsafe_) in [
        (
            "int a[4]; int main(void) { int i = __VERIFIER_nondet_int(); if (i < 0 || i > 3) return 0;
             a[i] = 7; for (int j = 0; j < 4; j++) if (j != i) check(a[j] == 0); check(a[i] == @); }",
            "7",
            "0",
        ),
        ("int main(void) { int a[3] = {1, 2}; check(a[0] + a[1] + a[2] == @); }", "3", "4"),
    ] {
        check_twins(text, safe, unsafe_);
    }
}

#[test]
fn large_arrays() {
    for (text, safe, unsafe_) in [
        (
            "int a[1000]; int main(void) { for (int i = 0; i < @; i++) a[i] = 42;
             for (int i = 0; i < 1000; i++) check(a[i] == 42); }",
            "1000",
            "999",
        ),
        // An element is read twice.
        (
            "int a[500]; int main(void) { int most = 0;
             for (int i = 0; i < 500; i++) a[i] = __VERIFIER_nondet_int();
             for (int i = 0; i < 500; i++) if (a[i] @ most) most = a[i];
             for (int i = 0; i < 500; i++) check(a[i] <= most); }",
            ">",
            "<",
        ),
        // Made when the program runs, and handed to a function.
        (
            "void fill(int *a, int n, int v) { for (int i = 0; i < n; i++) a[i] = v; }
             int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 1000) return 0;
             int *a = malloc(n * sizeof(int)); fill(a, n, @);
             for (int i = 0; i < n; i++) check(a[i] == 7); }",
            "7",
            "8",
        ),
        (
            "int main(void) { int *a = calloc(100, sizeof(int)); a[3] = @;
             for (int i = 0; i < 100; i++) check(a[i] == 0); }",
            "0",
            "1",
        ),
        (
            "int m[20][30]; int main(void) { m[3][4] = 1; m[4][3] = 2; check(m[3][4] == @); }",
            "1",
            "2",
        ),
    ] {
        check_long(text, safe, unsafe_);
    }
}

/// What must never be proved.
#[test]
fn traps() {
    for text in [
        // The read is not made, so there is no last one to be at the key.
        "int g = 2; int m[4][3];
         int main(void) { int x = g < 1 && m[0][0] > 2; check(__VERIFIER_nondet_int() != 3); }",
        "int a[100]; int main(void) { check(a[0] == 0); check(__VERIFIER_nondet_int() != 3); }",
        // An index that cannot be evaluated where nothing is read.
        "int a[100]; int main(void) { int d = 0; if (d != 0 && a[10 / d] == 0) return 1; check(0); }",
        // Two elements.
        "int a[100]; int main(void) { a[7] = 1; a[9] = 2; check(a[7] + a[9] != 3); }",
        // Written by a function of the library, and by a copy of the whole.
        "int a[100]; int main(void) { a[5] = 1; memset(a, 0, sizeof a); check(a[5] == 1); }",
        "struct s { int a[100]; } x, y;
         int main(void) { x.a[5] = 1; y.a[5] = 2; x = y; check(x.a[5] == 1); }",
        // A pointer that moves.
        "int a[100]; int main(void) { int *p = a + 4; p[1] = 3; check(a[5] == 0); }",
        "int a[100]; int main(void) { for (int *p = a; p < a + 100; p++) *p = 1; check(a[99] == 0); }",
        // More than one of it at a time.
        "int f(int n, int *up) { int x = n; if (n > 0) { f(n - 1, &x); return x; } *up = 9; return 0; }
         int main(void) { int y; check(f(1, &y) == 1); }",
        "int *a[2]; int main(void) { for (int i = 0; i < 2; i++) { int *p = malloc(400); p[3] = i; a[i] = p; }
         check(a[0][3] == 1); }",
        // Part of it is written.
        "int main(void) { int x = 1; *(char *)&x = 2; check(x == 1); }",
        // One of two.
        "int x, y; int main(void) { int *p = __VERIFIER_nondet_int() ? &x : &y; *p = 1; check(x == 0); }",
        // A local array is a new one in each call.
        "int f(int first) { int a[50]; if (first) { a[3] = 1; return 1; } a[3] = a[3] + 0; return a[4]; }
         int main(void) { f(1); check(__VERIFIER_nondet_int() != 5); }",
    ] {
        check(text, End::Refutation);
    }
}

/// The scalars of an aggregate are found by where they begin.
#[test]
fn scalars_by_their_offsets() {
    let program = compile(
        "struct t { char c; short s[3]; }; union u { char small; struct t large; };
         struct s { int a; struct t t[2]; union u u; int low : 3, high : 5; long last[4]; };
         struct s one; struct s many[3]; int number; char text[2][7];
         int main(void) { return one.a + many[0].a + number + text[0][0]; }",
    );
    let mut found = 0;
    for (_, var) in program.vars.iter().filter(|(_, var)| var.kind == VarKind::Global) {
        let leaves = interpret::leaves(&program.types, var.ty);
        for offset in 0..program.types.size(var.ty) {
            let expect = leaves.iter().position(|l| l.offset == offset && l.bit.is_none());
            let at = interpret::leaf_at(&program.types, var.ty, offset);
            assert_eq!(at, expect.map(|n| n as u64), "{} at {offset}", var.name);
            found += usize::from(at.is_some());
        }
    }
    assert_eq!(found, 17 * 4 + 1 + 14);
}
