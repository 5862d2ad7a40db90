//! What a review of the properties of memory found: wrong proofs and wrong refutations, and their
//! siblings. `Unknown` is right here too.

mod common;

use common::{Nodes, compile};
use lakatos_check::Verdict;
use lakatos_engine::horn::{Encoding, Horn};
use lakatos_engine::stack_cegar::StackCegar;
use lakatos_engine::{Engine, Task};
use lakatos_evidence::Assumption;
use lakatos_ir::{Property, SignedOverflow};
use lakatos_logic::smt::Limits;

const HEAD: &str = "extern int __VERIFIER_nondet_int(void);
    extern unsigned long __VERIFIER_nondet_ulong(void);
    extern void reach_error(void);
    void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void free(void *);
    void *realloc(void *, unsigned long); int puts(const char *);
    void *memcpy(void *, const void *, unsigned long);
    void *memset(void *, int, unsigned long);\n";

const LIMITS: Limits = Limits { resources: Some(3_000_000), time: None };

const DEREF: Property = Property::ValidDeref;
const FREE: Property = Property::ValidFree;
const TRACK: Property = Property::ValidMemtrack;
const NULL: Property = Property::NullDeref;
const FREED: Property = Property::UseAfterFree;
const CALLS: Property = Property::UnreachCall;

/// The verdicts of engines without probes, which would find much by chance, and of one with them.
fn verdicts(property: Property, text: &str) -> Vec<Verdict> {
    let program = compile(&format!("{HEAD}{text}"));
    let task = Task { program: &program, property, signed_overflow: SignedOverflow::Undefined };
    let stacks = |probe| StackCegar { probe, limits: LIMITS, ..StackCegar::default() };
    let horn = Horn { probe: false, limits: LIMITS, encoding: Encoding::Int };
    let engines: [&dyn Engine; 3] = [&horn, &stacks(false), &stacks(true)];
    engines.map(|engine| engine.solve(&task, &mut Nodes(400)).verdict).into()
}

#[track_caller]
fn never_proved(table: &[(Property, &str)]) {
    for (property, text) in table {
        let proved = verdicts(*property, text).iter().any(|v| matches!(v, Verdict::Proved(_)));
        assert!(!proved, "{property}: {text}");
    }
}

#[track_caller]
fn never_refuted(table: &[(Property, &str)]) {
    for (property, text) in table {
        let refuted = verdicts(*property, text).iter().any(|v| matches!(v, Verdict::Refuted(_)));
        assert!(!refuted, "{property}: {text}");
    }
}

/// Where arithmetic has led out of an object, the same steps lead back.
#[test]
fn pointers_that_leave_their_object_and_come_back() {
    never_proved(&[
        (DEREF, "int b[10]; int main(void) { int x = 0, *p = &x + 2, *q = b; p[-2] = 11; return q[x]; }"),
        (CALLS, "int main(void) { int x = 0, *p = &x + 2; p[-2] = 11; if (x) reach_error(); }"),
        (CALLS, "int a[4]; int main(void) { int *p = a - 1; p[1] = 7; if (a[0]) reach_error(); }"),
        (CALLS, "int a[4]; int main(void) { int *p = &a[2]; p -= 7; p += 8; *p = 7; if (a[3]) reach_error(); }"),
        (CALLS, "char c; int main(void) { char *p = &c - 1; *++p = 5; if (c) reach_error(); }"),
        (CALLS, "int a[4]; int main(void) { int n = __VERIFIER_nondet_int(); if (n < 5 || n > 9) return 0;
                 int *p = a + n; p -= n; *p = 3; if (a[0]) reach_error(); }"),
        (CALLS, "struct s { long v; long w; } g; struct t { long u; struct s s; };
                 int main(void) { struct t *p = (struct t *)((char *)&g - 8); p->s.w = 4; if (g.w) reach_error(); }"),
        (CALLS, "int x; void set(int *p) { p[-3] = 9; } int main(void) { set(&x + 3); if (x) reach_error(); }"),
        (FREE, "int main(void) { int *x = 0, *y = malloc(4), **p = &x; free(y); p = p - 1; p[1] = y; free(x); }"),
        (DEREF, "int v; int main(void) { int *x = &v, **p = &x; p = p - 1; p[1] = 0; return *x; }"),
    ]);
}

/// Two bit-fields, or one and the whole structure, are at the same address, and not the same access.
#[test]
fn accesses_at_the_same_address() {
    let head = "struct s { int a : 3; int pad[10]; int b : 3; };";
    for access in ["p->a + p->b", "p->b + p->a", "p->a && p->b"] {
        let text = format!(
            "{head} int main(void) {{ struct s *p = malloc(4); p->a = 1; return {access}; }}"
        );
        never_proved(&[(DEREF, &text)]);
    }
    never_proved(&[
        (DEREF, "int a[3]; int main(void) { int *p = a - 1; return p[1] + *p; }"),
        (DEREF, "int a[3]; int main(void) { int *p = a + 3; return p[-1] + *p; }"),
    ]);
}

#[test]
fn allocation() {
    never_proved(&[
        (TRACK, "int main(void) { unsigned long n = __VERIFIER_nondet_ulong(), m = __VERIFIER_nondet_ulong();
                 if (n > 9 || m > 9) return 0; calloc(n, m); return 0; }"),
        (DEREF, "int main(void) { unsigned long n = __VERIFIER_nondet_ulong(), m = __VERIFIER_nondet_ulong();
                 int *p = calloc(n, m), *z = 0; if (!p) *z = 1; free(p); return 0; }"),
        (DEREF, "int *a[10]; int main(void) { int i = __VERIFIER_nondet_int(), *z = 0; if (i < 0 || i > 9) return 0;
                 int *q = realloc(a[i], 0); if (q) *z = 1; return 0; }"),
        (TRACK, "int main(void) { malloc(4); reach_error(); return 0; }"),
    ]);
}

#[test]
fn library_functions_for_each_property() {
    never_proved(&[
        (NULL, "int main(void) { char *p = 0; memset(p, 0, 4); }"),
        (NULL, "int main(void) { char *p = 0; puts(p); }"),
        (FREED, "int main(void) { char b[4], *p = malloc(4); free(p); memcpy(b, p, 4); }"),
    ]);
}

/// Statements that belong to others are blocks, with braces or not.
#[test]
fn compound_literals_end_with_their_statement() {
    never_proved(&[
        (
            DEREF,
            "int main(void) { int *p = 0; if (__VERIFIER_nondet_int()) p = &(int){5}; return p ? *p : 0; }",
        ),
        (
            DEREF,
            "int main(void) { int x = 0, *p = &x, n = 2; while (n--) p = &(int){5}; return *p; }",
        ),
        (DEREF, "int main(void) { int *p; if ((p = &(int){3})) {} return *p; }"),
        (FREED, "int main(void) { int *p; switch (*(p = &(int){3})) default: ; return *p; }"),
    ]);
}

#[test]
fn assembly_evaluates_its_inputs() {
    never_proved(&[
        (
            CALLS,
            "int f(void) { reach_error(); return 1; } int main(void) { __asm__(\"\" : : \"r\"(f())); }",
        ),
        (DEREF, "int main(void) { int *p = 0; __asm__(\"\" : : \"r\"(*p)); }"),
    ]);
}

/// What an external function was given may have changed, and a number may be the address of what
/// is next to it.
#[test]
fn what_is_not_known_is_not_refuted() {
    never_refuted(&[
        (
            DEREF,
            "long strtol(const char *, char **, int);
                 int main(void) { char *end = 0; strtol(\"12x\", &end, 10); return *end; }",
        ),
        (TRACK, "void take(void *); int main(void) { take(malloc(4)); return 0; }"),
        (
            DEREF,
            "int a[3]; int main(void) { unsigned long l = (unsigned long)a - 4; int *q = (int *)l; q[1] = 5; }",
        ),
    ]);
}

/// What a call gives back goes to one element; what it may change besides is another matter.
#[test]
fn results_of_external_functions_in_arrays() {
    never_proved(&[
        (
            CALLS,
            "int ext(int *); int main(void) { int a[3] = {0, 0, 0}; a[0] = ext(a);
             if (a[1] == 5) reach_error(); return 0; }",
        ),
        (
            CALLS,
            "int ext(int *); int a[10]; int main(void) { a[3] = 0; a[0] = ext(a);
             if (a[3] == 5) reach_error(); return 0; }",
        ),
        (
            CALLS,
            "int ext(int *); struct s { int x, y; } s; int main(void) { s.y = 0; s.x = ext(&s.y);
             if (s.y == 5) reach_error(); return 0; }",
        ),
    ]);
}

/// One call of `calloc`, several objects: each time one of them is zero.
#[test]
fn objects_of_one_calloc() {
    never_proved(&[
        (
            CALLS,
            "int *make(void) { return calloc(1, 4); }
             int main(void) { int *a = make(); *a = __VERIFIER_nondet_int(); int *b = make();
             if (*a / 7 == 176366 && *a % 13 == 5) reach_error(); return *b; }",
        ),
        (
            CALLS,
            "int *make(void) { return calloc(1, 4); }
             int main(void) { int *a = make(); *a = __VERIFIER_nondet_int(); make();
             if (*a / 7 == 176366) reach_error(); return 0; }",
        ),
        (
            CALLS,
            "int *make(void) { return calloc(1, 4); }
             int main(void) { int *a = make(); *a = __VERIFIER_nondet_int();
             for (int i = 0; i < 3; i++) make(); if (*a / 7 == 176366) reach_error(); return 0; }",
        ),
        (
            Property::NoOverflow,
            "int *make(void) { return calloc(1, 4); }
             int main(void) { int *a = make(); int h = __VERIFIER_nondet_int();
             if (h < 715827884 || h > 715827890) return 0;
             *a = h; int *b = make(); *a = *a * 3; return *b; }",
        ),
    ]);
}

/// An array without elements has no element that could be followed.
#[test]
fn arrays_without_elements() {
    never_proved(&[
        (
            CALLS,
            "struct s { int n; int a[0]; };
             int main(void) { struct s *p = malloc(44); int i = __VERIFIER_nondet_int(); p->a[0] = 1;
             if (i / 7 == 176366) reach_error(); return p->a[0]; }",
        ),
        (
            CALLS,
            "struct s { int n; int a[0]; }; struct { struct s s; int pad[10]; } x;
             int main(void) { int i = __VERIFIER_nondet_int(); if (i / 7 == 176366) reach_error();
             if (i < 0 || i > 3) return 0; x.s.a[i] = 3; return x.s.a[i]; }",
        ),
        (
            CALLS,
            "struct s { int a[0]; int n; } s;
             int main(void) { int i = __VERIFIER_nondet_int(); if (i / 7 == 176366) reach_error();
             if (i == 3) return s.a[i]; return 0; }",
        ),
        (
            CALLS,
            "struct s { int n; int a[4][0]; } s;
             int main(void) { int i = __VERIFIER_nondet_int(); if (i / 7 == 176366) reach_error();
             if (i == 3) return s.a[i][i]; return 0; }",
        ),
    ]);
}

/// An array in a temporary is gone after its expression, which nobody sees: the verdict says so.
#[test]
fn arrays_in_temporaries() {
    for text in [
        "struct s { int a[3]; }; struct s f(void) { struct s s = {{1, 2, 3}}; return s; }
         int main(void) { int *p; p = f().a; int i = 1; return p[i]; }",
        "struct s { int a[3]; }; int main(void) { struct s s = {{1, 2, 3}}, t; int *p = (t = s).a;
         return p[0]; }",
        "struct in { int a[2]; }; struct out { struct in in; }; struct out f(void) { struct out o = {{{1, 2}}}; return o; }
         int main(void) { int *p = f().in.a; return p[1]; }",
    ] {
        for verdict in verdicts(DEREF, text) {
            if let Verdict::Proved(checked) = verdict {
                assert!(checked.proof().assumptions().contains(&Assumption::Lifetime), "{text}");
            }
        }
    }
}
