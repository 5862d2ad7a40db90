//! Arrays as values: what guesses from runs prove, and what they must not.

mod common;

use common::{End, run};
use lakatos_engine::Arrays;

const HEAD: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long); extern void *memset(void *, int, unsigned long);
extern void other(int *);
";

fn is_proved(text: &str) -> bool {
    run(&format!("{HEAD}{text}"), Arrays::default(), usize::MAX).0 == End::Proof
}

/// With `safe` for `@` it is proved, with `broken` it is not.
#[track_caller]
fn check_twins(name: &str, text: &str, safe: &str, broken: &str) {
    assert!(is_proved(&text.replace('@', safe)), "{name}: {text} with {safe}");
    assert!(!is_proved(&text.replace('@', broken)), "{name}: {text} with {broken}");
}

#[track_caller]
fn check_unproved(name: &str, text: &str) {
    assert!(!is_proved(text), "{name}: {text}");
}

#[test]
fn ranges_of_elements() {
    check_twins(
        "all are set",
        "int a[100000]; int main(void) { for (int i = @; i < 100000; i++) a[i] = 7;
             for (int i = 0; i < 100000; i++) if (a[i] != 7) reach_error(); }",
        "0",
        "1",
    );
    check_twins(
        "from the end",
        "int main(void) { int a[5000]; for (int i = 4999; i >= 0; i--) a[i] = i @;
             for (int i = 0; i < 5000; i++) if (a[i] != i) reach_error(); }",
        "",
        "+ (i == 3000)",
    );
    check_twins(
        "of which nobody knows how many there are",
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 1000) return 0;
             int *a = malloc(n * sizeof(int)); for (int i = 0; i < n; i++) a[i] = 2 * i;
             for (int i = 0; i < n; i++) if (a[i] != 2 * i @) reach_error(); }",
        "",
        "+ (i == 999)",
    );
    check_twins(
        "copied, and mirrored",
        "int a[3000], b[3000]; int main(void) {
             for (int i = 0; i < 3000; i++) a[i] = __VERIFIER_nondet_int();
             for (int i = 0; i < 3000; i++) b[2999 - i] = a[i];
             for (int i = 0; i < 3000; i++) if (a[i] != b[@ - i]) reach_error(); }",
        "2999",
        "(i ? 2999 : 2998)",
    );
    check_twins(
        "the largest one",
        "int a[2000]; int main(void) { for (int i = 0; i < 2000; i++) a[i] = __VERIFIER_nondet_int();
             int m = a[0]; for (int i = 1; i < 2000; i++) if (a[i] > m) m = a[i];
             for (int i = 0; i < @; i++) if (a[i] > m) reach_error(); }",
        "2000",
        "(a[0] = 2000000000, 2000)",
    );
}

#[test]
fn sums_of_known_elements() {
    check_twins(
        "the same in all",
        "int a[40000]; int main(void) { long long s = 0;
             for (int i = 0; i < 40000; i++) a[i] = 3;
             for (int i = 0; i < 40000; i++) s += a[i];
             if (s != @) reach_error(); }",
        "120000",
        "119997",
    );
    check_twins(
        "in a function that is called twice",
        "int total(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
         int main(void) { int a[600], b[600]; for (int i = 0; i < 600; i++) { a[i] = 1; b[i] = 2; }
             int x = total(a, 600), y = total(b, 600); if (y != 2 * x @) reach_error(); }",
        "",
        "+ 1",
    );
}

#[test]
fn other_ways_to_write() {
    check_unproved(
        "by another pointer",
        "int a[500]; int main(void) { int *p = a; for (int i = 0; i < 500; i++) a[i] = 1;
             p[__VERIFIER_nondet_int() & 255] = 2;
             for (int i = 0; i < 500; i++) if (a[i] != 1) reach_error(); }",
    );
    check_unproved(
        "by a function of the library",
        "int a[500]; int main(void) { for (int i = 0; i < 500; i++) a[i] = 1; memset(a, 0, 8);
             for (int i = 0; i < 500; i++) if (a[i] != 1) reach_error(); }",
    );
    check_unproved(
        "by a function without a body",
        "int main(void) { int a[500]; for (int i = 0; i < 500; i++) a[i] = 1; other(a);
             for (int i = 0; i < 500; i++) if (a[i] != 1) reach_error(); }",
    );
    check_unproved(
        "byte by byte",
        "int a[500]; int main(void) { for (int i = 0; i < 500; i++) a[i] = 1; ((char *) a)[3] = 1;
             for (int i = 0; i < 500; i++) if (a[i] != 1) reach_error(); }",
    );
    check_unproved(
        "one of two arrays, as a pointer says",
        "int main(void) { int a[500], b[500]; int *p = __VERIFIER_nondet_int() ? a : b;
             for (int i = 0; i < 500; i++) { a[i] = 1; b[i] = 1; } p[7] = 2;
             for (int i = 0; i < 500; i++) if (a[i] != 1) reach_error(); }",
    );
    check_unproved(
        "in a call that is made again: what was there is gone",
        "void f(int k) { int a[300]; if (k) for (int i = 0; i < 300; i++) a[i] = 1;
             for (int i = 0; i < 300; i++) if (a[i] != 1) reach_error(); }
         int main(void) { for (int k = 1; k >= 0; k--) f(k); }",
    );
    check_unproved(
        "a variable that a call left behind",
        "int f(int k) { int x; if (k) x = 5; return x; }
         int main(void) { int a[300]; for (int i = 0; i < 300; i++) a[i] = 5;
             for (int i = 0; i < 300; i++) if (f(i == 0) != a[i]) reach_error(); }",
    );
    check_unproved(
        "numbers that are not seen in short runs",
        "int a[100000]; int main(void) { int n = __VERIFIER_nondet_int();
             for (int i = 0; i < 100000; i++) a[i] = i == n && n > 90000 ? 1 : 0;
             for (int i = 0; i < 100000; i++) if (a[i]) reach_error(); }",
    );
    check_unproved(
        "unsigned elements that wrap around",
        "unsigned char a[1000]; int main(void) { for (int i = 0; i < 1000; i++) a[i] = i;
             for (int i = 0; i < 1000; i++) if (a[i] != i) reach_error(); }",
    );
}

#[test]
fn what_holds_only_under_a_flag() {
    check_twins(
        "compared before",
        "int a[700], b[700]; int main(void) { int same = 1;
             for (int i = 0; i < 700; i++) { a[i] = __VERIFIER_nondet_int(); b[i] = __VERIFIER_nondet_int(); }
             for (int i = 0; i < @; i++) if (a[i] != b[i]) same = 0;
             if (same) for (int i = 0; i < 700; i++) if (a[i] != b[i]) reach_error(); }",
        "700",
        "699",
    );
}

/// Numbers keep their values when nobody needs them any more, but a variable that is declared anew has
/// any value, in each turn and in each call.
#[test]
fn what_is_declared_anew_is_unknown() {
    check_unproved(
        "a local of a call",
        "int a[9]; int f(int c) { int x; if (c) x = 1; return x; }
         int main(void) { int s = 0;
             for (int i = 0; i < 9; i++) a[i] = f(1);
             for (int i = 0; i < 9; i++) s += a[i];
             if (s != 9 || f(0) != 1) reach_error(); }",
    );
    check_unproved(
        "a local of a turn",
        "int a[9]; int main(void) { int s = 0;
             for (int i = 0; i < 9; i++) a[i] = 1;
             for (int i = 0; i < 9; i++) { int x; if (i == 0) x = 1; s += x; }
             if (s != 9) reach_error(); }",
    );
}
