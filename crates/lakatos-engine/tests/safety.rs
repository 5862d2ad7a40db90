//! Properties of memory: safe programs and their unsafe twins, which no engine may prove.

mod common;

use common::{End, Nodes, compile};
use lakatos_check::Verdict;
use lakatos_engine::horn::{Encoding, Horn};
use lakatos_engine::stack_cegar::StackCegar;
use lakatos_engine::{Engine, Task};
use lakatos_ir::{Property, SignedOverflow};
use lakatos_logic::smt::Limits;

const HEAD: &str = "extern int __VERIFIER_nondet_int(void);
    void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void free(void *);
    void *realloc(void *, unsigned long); void *alloca(unsigned long);
    void *memcpy(void *, const void *, unsigned long);
    void *memset(void *, int, unsigned long); unsigned long strlen(const char *);
    char *strcpy(char *, const char *); void abort(void);\n";

const LIMITS: Limits = Limits { resources: Some(3_000_000), time: None };
const HORN: Horn = Horn { probe: false, limits: LIMITS, encoding: Encoding::Int };

const DEREF: Property = Property::ValidDeref;
const FREE: Property = Property::ValidFree;
const TRACK: Property = Property::ValidMemtrack;
const SAFETY: Property = Property::ValidMemsafety;

fn stacks(probe: bool) -> StackCegar {
    StackCegar { probe, limits: LIMITS, ..StackCegar::default() }
}

fn end(text: &str, property: Property, engine: impl Engine) -> End {
    let program = compile(text);
    let signed_overflow = SignedOverflow::Undefined;
    let task = Task { program: &program, property, signed_overflow };
    match engine.solve(&task, &mut Nodes(400)).verdict {
        Verdict::Proved(_) => End::Proof,
        Verdict::Refuted(_) => End::Refutation,
        Verdict::Unknown(_) => End::Unknown,
    }
}

/// No engine says the wrong thing of a program, and one of them says the right thing.
#[track_caller]
fn check(text: &str, property: Property, expect: End) {
    let text = format!("{HEAD}{text}");
    let ends = [
        end(&text, property, HORN),
        end(&text, property, stacks(false)),
        end(&text, property, stacks(true)),
    ];
    let may = |end: &End| *end == expect || *end == End::Unknown;
    assert!(ends.iter().all(may), "{property}: {ends:?}: {text}");
    assert!(ends.contains(&expect), "{property}: {ends:?}: {text}");
}

#[track_caller]
fn check_twins(property: Property, table: &[(&str, &str, &str)]) {
    for (text, safe, unsafe_) in table {
        check(&text.replace('@', safe), property, End::Proof);
        check(&text.replace('@', unsafe_), property, End::Refutation);
    }
}

#[test]
fn bounds() {
    check_twins(
        DEREF,
        &[
            ("int main(void) { int a[10]; for (int i = 0; i @ 10; i++) a[i] = i; }", "<", "<="),
            ("int main(void) { int a[10]; int *p = a; while (p @ a + 10) *p++ = 1; }", "<", "<="),
            // A size from outside.
            (
                "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 100) return 0;
                   int *p = malloc(n * sizeof(int)); for (int i = 0; i @ n; i++) p[i] = 0; }",
                "<",
                "<=",
            ),
            ("int main(void) { int a[4]; int *p = a + 2; p[@] = 1; }", "-2", "-3"),
            ("int main(void) { int *p = calloc(5, 4); p[@] = 1; }", "4", "5"),
            ("int main(void) { char *p = malloc(4); *(int *)(p + @) = 1; }", "0", "1"),
            (
                "struct b { unsigned a : 3, b : 9; };
                 int main(void) { struct b *p = malloc(@); p->b = 1; }",
                "2",
                "1",
            ),
            // Through the whole object, whatever the arrays in it are.
            ("int main(void) { int a[3][4]; int *p = &a[0][0]; p[@] = 1; }", "11", "12"),
            (
                "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 5) return 0;
                   int a[n]; a[n @] = 1; }",
                "- 1",
                "",
            ),
            // `p - k` of an unsigned number.
            (
                "int main(void) { int a[4], *p = a + 3; unsigned long k = @; *(p - k) = 1; }",
                "3",
                "4",
            ),
            ("int main(void) { char a[9], b[10]; memset(b, 0, 10); memcpy(a, b, @); }", "9", "10"),
            ("int main(void) { const char *s = \"hello\"; return s[@]; }", "5", "6"),
            ("int main(void) { const char *s = \"hello\"; return strlen(s + @); }", "5", "6"),
            (
                "int main(void) { int a[10], *p = a, *e = a + 10; long n = e - p;
                   for (long i = 0; i @ n; i++) p[i] = 0; }",
                "<",
                "<=",
            ),
        ],
    );
}

#[test]
fn pointers_through_calls_and_memory() {
    check_twins(
        DEREF,
        &[
            (
                "int *pick(int *a, int i) { return a + i; }
                 int main(void) { int a[4]; *pick(a, @) = 1; }",
                "3",
                "4",
            ),
            (
                "int sum(int *p, int n) { if (n == 0) return 0; return *p + sum(p + 1, n - 1); }
                 int main(void) { int a[3] = {1, 2, 3}; return sum(a, @); }",
                "3",
                "4",
            ),
            (
                "struct s { int *d; int n; };
                 int main(void) { int x[3]; struct s v; v.d = x; v.n = 3; struct s *p = &v;
                   for (int i = 0; i @ p->n; i++) p->d[i] = i; }",
                "<",
                "<=",
            ),
            (
                "int *g, a[5]; void set(void) { g = a; }
                 int main(void) { set(); for (int i = 0; i < 5; i++) { *g = i; g++; } @ }",
                "",
                "*g = 1;",
            ),
            // A pointer whose address is taken.
            (
                "void move(int **p) { *p = *p + 1; }
                 int main(void) { int a[2]; int *p = a; move(&p); @ *p = 1; }",
                "",
                "move(&p);",
            ),
            (
                "struct s { int *p; }; int main(void) { int x; struct s a, b; a.p = &x; b = a;
                   @ *b.p = 1; }",
                "",
                "b.p = 0;",
            ),
            // What a function that is not known returns, or is given, is not proved.
            (
                "int f(int x) { return x; } int g(int x) { return x + 1; }
                 int main(void) { int (*p)(int) = __VERIFIER_nondet_int() ? f : g;
                   return p(1) + @; }",
                "0",
                "*(int *)0",
            ),
        ],
    );
}

#[test]
fn null() {
    for property in [DEREF, Property::NullDeref, SAFETY] {
        check_twins(
            property,
            &[
                (
                    "int get(int *p) { @ return *p; }
                     int main(void) { int x = 1; return get(__VERIFIER_nondet_int() ? &x : 0); }",
                    "if (!p) return 0;",
                    "",
                ),
                (
                    "struct n { struct n *next; int v; };
                     int main(void) { struct n a = {0, 1}; struct n *p = &a; int s = 0;
                       while (p @) { s += p->v; p = p->next; } }",
                    "!= 0",
                    "!= 0 || s < 5",
                ),
                // The last operand is not evaluated.
                (
                    "int main(void) { int x = 1, *p = 0; if (__VERIFIER_nondet_int()) p = &x;
                       return p != 0 @ *p > 0; }",
                    "&&",
                    "||",
                ),
                ("int main(void) { int *p; int x; @ *p = 1; }", "p = &x;", ""),
            ],
        );
    }
}

#[test]
fn lifetimes() {
    for property in [DEREF, Property::UseAfterFree] {
        check_twins(
            property,
            &[
                (
                    "int main(void) { int *p = malloc(4), *q = p; *q = 1; @ free(p); }",
                    "",
                    "free(p); *q = 2; return 0;",
                ),
                (
                    "int *g; void f(void) { int x = 1; g = &x; *g = 2; }
                     int main(void) { f(); @ }",
                    "",
                    "*g = 3;",
                ),
                // The variable is there again, but it is another one.
                (
                    "int *g; void f(int n) { int x = 1; if (n == 0) g = &x; if (n @ 0) *g = 2; }
                     int main(void) { f(0); f(1); }",
                    "==",
                    ">=",
                ),
                (
                    "int main(void) { int *p = 0;
                       for (int i = 0; i < 3; i++) { int x = i; @ p = &x; *p = 1; } }",
                    "",
                    "if (p) *p = 5;",
                ),
                (
                    "int *f(int n, int *p) { int x; if (n == 0) return p; return f(n - 1, @); }
                     int main(void) { int y; *f(2, &y) = 1; }",
                    "p",
                    "&x",
                ),
                ("int main(void) { int *p = malloc(4), *q = realloc(p, 8); @[0] = 1; }", "q", "p"),
                (
                    "int main(void) { int *last = 0; for (int i = 0; i < 10; i++) {
                       int *p = malloc(12); p[0] = 1; free(p); @ last = p; } }",
                    "",
                    "if (last && i == 5) last[0] = 2;",
                ),
                (
                    "int *g; void f(void) { int *p = alloca(8); p[1] = 1; g = p; }
                     int main(void) { f(); @ }",
                    "",
                    "g[0] = 1;",
                ),
                (
                    "void *get(unsigned long n) { return malloc(n); }
                     int main(void) { int *a = get(8), *b = get(16); free(b); a[1] = 1; @ }",
                    "",
                    "b[1] = 1;",
                ),
            ],
        );
    }
}

#[test]
fn frees() {
    check_twins(
        FREE,
        &[
            ("int main(void) { int *p = malloc(4), *q = p; free(p); @ }", "", "free(q);"),
            ("int main(void) { int *p = malloc(8); @ free(p); }", "", "p++;"),
            ("int main(void) { int x, *p = malloc(4); @ free(p); }", "", "free(p); p = &x;"),
            ("int g; int main(void) { free(@); }", "0", "&g"),
            ("int main(void) { int *p = malloc(4); int *q = realloc(p, 8); free(@); }", "q", "p"),
            // It frees.
            ("int main(void) { int *p = malloc(4); realloc(p, 0); @ }", "", "free(p);"),
            (
                "int main(void) { for (int i = 0; i < 5; i++) { int *p = malloc(4);
                   if (i @ 6) free(p); else { free(p); free(p); } } }",
                "<",
                ">",
            ),
        ],
    );
}

#[test]
fn lost_memory() {
    check_twins(
        TRACK,
        &[
            ("int main(void) { int *p = malloc(4); @ }", "free(p);", ""),
            ("int *g; int main(void) { g = malloc(4); @ }", "", "g = 0;"),
            (
                "int *make(void) { return malloc(4); } int main(void) { int *p = make(); free(p); @ }",
                "",
                "make();",
            ),
            (
                "int main(void) { for (int i = 0; i < 5; i++) { int *p = malloc(4);
                   if (i @ 6) free(p); } }",
                "<",
                ">",
            ),
            (
                "void use(int *p) { *p = 1; } int main(void) { int *p = malloc(4); use(p); @ }",
                "free(p);",
                "",
            ),
            ("int main(void) { int *p = malloc(4); p = realloc(p, 8); @ }", "free(p);", ""),
        ],
    );
}

/// Lost, but `main` does not return: nothing shows it, and nothing must prove the contrary.
#[test]
fn memory_that_is_lost_before_the_end() {
    for text in [
        "int main(void) { malloc(4); for (int i = 0; i < 5; i++) {} abort(); }",
        "int main(void) { int *p = malloc(4); p = 0; abort(); }",
        "int main(void) { { int *p = malloc(4); *p = 1; } abort(); }",
        "int main(void) { for (int i = 0;; i++) { int *p = malloc(4); *p = 1; if (i > 2) abort(); } }",
        "void f(int *p, int n) { if (n > 3) abort(); f(0, n + 1); }
         int main(void) { f(malloc(4), 0); }",
        "int *f(void) { return malloc(4); }
         int main(void) { for (int i = 0;; i++) { f(); if (i > 2) abort(); } }",
    ] {
        let text = format!("{HEAD}{text}");
        for property in [TRACK, SAFETY] {
            assert_eq!(end(&text, property, HORN), End::Unknown, "{text}");
            assert_eq!(end(&text, property, stacks(true)), End::Unknown, "{text}");
        }
    }
}

/// String literals and objects that are `const` must not be written to.
#[test]
fn what_is_read_only_is_not_written() {
    for text in [
        "int main(void) { char *s = \"abc\"; s[0] = 'x'; }",
        "const int limit = 3; int main(void) { *(int *)&limit = 4; }",
    ] {
        let text = format!("{HEAD}{text}");
        for property in [DEREF, SAFETY] {
            assert_eq!(end(&text, property, HORN), End::Refutation, "{text}");
        }
    }
}

/// What is not known is neither proved nor refuted.
#[test]
fn pointers_that_nobody_knows() {
    for text in [
        "int *get(void); int main(void) { int *p = get(); if (p) *p = 1; }",
        "extern int *p; int main(void) { *p = 1; }",
        "struct s { int *p; }; extern struct s v; int main(void) { return *v.p; }",
        "int main(int argc, char **argv) { return argv[0][0]; }",
        "int main(void) { int a[2][3]; return a[0][4]; }",
        "int main(void) { char a[4]; strcpy(a, \"abc\"); }",
        "int x; int main(void) { long n = (long)&x; *(int *)n = 1; }",
        "extern int a[]; int main(void) { return a[0]; }",
    ] {
        let text = format!("{HEAD}{text}");
        for property in [DEREF, SAFETY] {
            assert_eq!(end(&text, property, HORN), End::Unknown, "{text}");
            assert_eq!(end(&text, property, stacks(true)), End::Unknown, "{text}");
        }
    }
}

/// Whatever is wrong with memory, it is not another property.
#[test]
fn each_property_for_itself() {
    let text = "int main(void) { int *p = malloc(4); @ }";
    for (wrong, violated) in [
        ("free(p); p[0] = 1;", &[DEREF, SAFETY, Property::UseAfterFree][..]),
        ("free(p); free(p);", &[FREE, SAFETY]),
        ("p[1] = 1; free(p);", &[DEREF, SAFETY]),
        ("free(p); p = 0; *p = 1;", &[DEREF, SAFETY, Property::NullDeref]),
        ("p[0] = 1;", &[TRACK, SAFETY]),
    ] {
        let text = format!("{HEAD}{}", text.replace('@', wrong));
        for property in Property::ALL.into_iter().filter(|p| p.is_about_memory()) {
            let expect = match violated.contains(&property) {
                true => End::Refutation,
                false => End::Proof,
            };
            assert_eq!(end(&text, property, stacks(true)), expect, "{property}: {text}");
        }
    }
}
