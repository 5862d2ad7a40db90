//! Good proofs of which every formula is needed: without it, with it negated, and with `false` in
//! its place the checker rejects them.

use crate::{Claim, rejects, verdict};

const COUNT: &str = "int main(void) { int i = 0; while (i < 10) i++; if (i != 10) reach_error(); }";

const BREAK: &str = "int main(void) { int i = 0, found = 0;
  while (1) { if (i >= 7) { found = i; break; } i = i + 2; }
  if (found != 8) reach_error(); }";

const NESTED: &str = "int main(void) { int n = 0;
  for (int i = 0; i < 3; i++) { for (int j = 0; j < 4; j++) n++; }
  if (n < 0) reach_error(); }";

const SUM: &str = "int sum(int n) { if (n <= 0) return 0; return n + sum(n - 1); }
int main(void) { int n = __VERIFIER_nondet_int(); int r = sum(n);
  if (n >= 0 && r < n) reach_error(); }";

const EVEN: &str = "int odd(int n); int even(int n) { if (n == 0) return 1; return odd(n - 1); }
int odd(int n) { if (n == 0) return 0; return even(n - 1); }
int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0) return 0;
  int r = even(n); if (r < 0 || r > 1) reach_error(); }";

const GLOBAL: &str = "int g; int h; void set(int v) { g = v; }
int main(void) { h = 5; set(1); set(2); if (g != 2 || h != 5) reach_error(); }";

const DEPTH: &str = "int depth;
void down(int n) { depth = depth + 1; if (n > 0) down(n - 1); depth = depth - 1; }
int main(void) { depth = 0; down(__VERIFIER_nondet_int()); if (depth != 0) reach_error(); }";

const PARAMETER: &str = "int next(int x) { x = x + 1; return x; }
int main(void) { int a = __VERIFIER_nondet_int(); if (next(a) <= a) reach_error(); }";

const DEMAND: &str = "void f(int k) { if (k <= 0) reach_error(); }
int main(void) { f(1); f(2); }";

const UNSIGNED: &str = "int main(void) { unsigned x = 0, n = 0;
  while (n < 5) { x = x - 1; n++; }
  if (x + n != 0) reach_error(); }";

const LOCK: &str = "int lock; void acquire(void) { if (lock) reach_error(); lock = 1; }
void release(void) { if (!lock) reach_error(); lock = 0; }
int main(void) { while (__VERIFIER_nondet_int()) { acquire(); release(); } }";

const PROOFS: &[(&str, &[Claim<'static>])] = &[
    (COUNT, &[("main loop 0", "i <= 10")]),
    (BREAK, &[("main loop 0", "i % 2 == 0 && i >= 0 && i <= 8")]),
    (NESTED, &[("main loop 0", "n >= 0"), ("main loop 1", "n >= 0")]),
    (SUM, &[("sum ensures", "result >= old(n)")]),
    (
        EVEN,
        &[
            ("even ensures", "result == 0 || result == 1"),
            ("odd ensures", "result == 0 || result == 1"),
        ],
    ),
    (GLOBAL, &[("set ensures", "g == old(v)")]),
    (DEPTH, &[("down ensures", "depth == old(depth)")]),
    (PARAMETER, &[("next ensures", "result == old(x) + 1")]),
    (DEMAND, &[("f requires", "k > 0")]),
    (UNSIGNED, &[("main loop 0", "n <= 5 && (x + n == 0 && n == 0 || x + n == 4294967296)")]),
    (
        LOCK,
        &[
            ("main requires", "lock == 0"),
            ("main loop 0", "lock == 0"),
            ("acquire requires", "lock == 0"),
            ("acquire ensures", "lock == 1"),
            ("release requires", "lock == 1"),
            ("release ensures", "lock == 0"),
        ],
    ),
];

#[test]
fn originals_are_accepted() {
    for (text, claims) in PROOFS {
        assert_eq!(verdict(text, claims), "checked", "{claims:?}\n{text}");
    }
}

#[test]
fn mutants_are_rejected() {
    for (text, claims) in PROOFS {
        for (number, (place, formula)) in claims.iter().enumerate() {
            let negated = format!("! ( {formula} )");
            for mutant in ["true", "false", &negated] {
                let mut claims = claims.to_vec();
                claims[number] = (place, mutant);
                let said = verdict(text, &claims);
                assert!(said != "checked" && said != "undecided", "{said}: {claims:?}\n{text}");
            }
        }
    }
}

/// One conjunct less, or a bound moved by one.
#[test]
fn weakened_and_strengthened() {
    let rejected = [
        (COUNT, ("main loop 0", "i <= 11"), "main: error"),
        (COUNT, ("main loop 0", "i <= 9"), "main: invariant"),
        (COUNT, ("main loop 0", "i >= 0"), "main: error"),
        (COUNT, ("main loop 0", "i <= 10 && i > 0"), "main: invariant"),
        (BREAK, ("main loop 0", "i % 2 == 0 && i >= 0"), "main: error"),
        (BREAK, ("main loop 0", "i >= 0 && i <= 8"), "main: error"),
        (SUM, ("sum ensures", "result >= 0"), "main: error"),
        (SUM, ("sum ensures", "result >= old(n) && result > 0"), "sum: ensures"),
        (GLOBAL, ("set ensures", "g >= old(v)"), "main: error"),
        (GLOBAL, ("set ensures", "g == old(g)"), "set: ensures"),
        (PARAMETER, ("next ensures", "result == old(x)"), "next: ensures"),
        (DEMAND, ("f requires", "k >= 0"), "f: error"),
        (DEMAND, ("f requires", "k > 1"), "main: requires of f"),
        (UNSIGNED, ("main loop 0", "n <= 5 && x + n == 0"), "main: invariant"),
    ];
    for (text, claim, expected) in rejected {
        rejects(text, &[claim], expected);
    }
}
