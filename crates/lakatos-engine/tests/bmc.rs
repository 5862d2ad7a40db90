//! Bounded model checking: what loops written out show, and that the written-out program is the
//! program.

mod common;

use common::{End, compile, run};
use lakatos_check::{Instrumented, Verdict, Why};
use lakatos_engine::{Bmc, Engine, Task, Unwatched};
use lakatos_ir::interpret::{self, Keyed, Options, Outcome};
use lakatos_ir::pass::{self, Beyond};
use lakatos_ir::{Property, SignedOverflow};

const HEAD: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
";

#[track_caller]
fn check(name: &str, text: &str, expect: End) {
    let end = run(&format!("{HEAD}{text}"), Bmc::default(), usize::MAX).0;
    assert_eq!(end, expect, "{name}: {text}");
}

/// With `safe` for `@` it is proved, with `broken` it is refuted.
#[track_caller]
fn check_twins(name: &str, text: &str, safe: &str, broken: &str) {
    check(name, &text.replace('@', safe), End::Proof);
    check(name, &text.replace('@', broken), End::Refutation);
}

#[test]
fn loops_with_few_turns() {
    check_twins(
        "the sum of what is swapped",
        "int sum(int x[20]) { long long s = 0; for (int i = 0; i < 20; i++) s += x[i]; return s; }
         int main(void) { int x[20]; for (int i = 0; i < 20; i++) x[i] = __VERIFIER_nondet_int();
             int a = sum(x); int t = x[3]; x[3] = x[4]; x[4] = t @; int b = sum(x);
             if (a != b) reach_error(); }",
        "",
        "+ 1",
    );
    check_twins(
        "one in another, and a call in that",
        "int g; void f(int n) { while (n > 0) { n--; g++; } }
         int main(void) { for (int i = 0; i < 4; i++) for (int j = 0; j < i; j++) f(j);
             if (g @) reach_error(); }",
        "!= 4",
        "== 4",
    );
    check_twins(
        "as many turns as an input says",
        "int main(void) { int n = __VERIFIER_nondet_int(), i = 0; if (n > 9) return 0;
             while (i < n) i++; if (i > @) reach_error(); }",
        "9",
        "8",
    );
    check_twins(
        "jumps out of loops and into the next turn",
        "int main(void) { int s = 0; for (int i = 0; i < 8; i++) {
             if (i == 2) continue; for (int j = 0; ; j++) { if (j == i) break; s++; if (s > 20) goto out; } }
             out: if (s @) reach_error(); }",
        "!= 21",
        "== 21",
    );
    check_twins(
        "variables of calls are new ones each time",
        "int f(int first) { int x; if (first) x = 7; return x; }
         int main(void) { f(1); int y = f(@); if (y != 7) reach_error(); }",
        "1",
        "0",
    );
}

/// Where numbers are cut to few bits formulas are about bits, and any turn may be the one that fails.
#[test]
fn a_ring_elects_one() {
    check_twins(
        "an error in each turn",
        "typedef signed char id; int leaders;
         id pass(id message, id own) {
             if (message == own) { leaders++; return -1; }
             return message > own ? message : -1; }
         int main(void) {
             id a = (id)__VERIFIER_nondet_int(), b = (id)__VERIFIER_nondet_int();
             id c = (id)__VERIFIER_nondet_int(), round = 0;
             if (a < 0 || b < 0 || c < 0 || a == b || b == c || a == c) return 0;
             id to_a = c, to_b = a, to_c = b;
             while (round < 5) {
                 id x = pass(to_a, a), y = pass(to_b, b), z = pass(to_c, c);
                 to_a = z; to_b = x; to_c = y; round = (id)(round + 1);
                 if (leaders != (round @ 3)) reach_error(); } }",
        ">=",
        ">",
    );
    // A value that no turn ends with, and one that the 36th does.
    for (limit, expect) in [("2", End::Unknown), ("-47", End::Refutation)] {
        let text = "int main(void) { signed char x = 1; while (1) {
                 x = (signed char)(x * 3); if (x == @) reach_error(); } }";
        check("going round", &text.replace('@', limit), expect);
    }
}

/// A loop with more turns than are written out proves nothing, and a violation behind it is none.
#[test]
fn loops_with_many_turns() {
    for text in [
        "int main(void) { int i = 0; while (i < 65) i++; if (i != 65) reach_error(); }",
        "int main(void) { int i = 0; while (i < 1000) i++; reach_error(); }",
        "int main(void) { int i = 0; while (__VERIFIER_nondet_int()) i++; if (i < 0) reach_error(); }",
        "int g; int f(int n) { g = n; return g; }
         int main(void) { for (;;) if (f(3) != 3) break; reach_error(); }",
    ] {
        check("many turns", text, End::Unknown);
    }
    let text = "int main(void) { int i = 0; while (i < 64) i++; if (i != 64) reach_error(); }";
    check("just enough", text, End::Proof);
}

/// Properties other than calls: a turn too many is an error for them, too.
#[test]
fn properties() {
    const DEREF: Property = Property::ValidDeref;
    const TRACK: Property = Property::ValidMemtrack;
    for (property, is_proved, text) in [
        (
            DEREF,
            true,
            "int main(void) { int s = 0; for (int i = 0; i < 5; i++) { int *p = malloc(8); p[1] = i;
             s += p[1]; free(p); } return s; }",
        ),
        (
            TRACK,
            true,
            "int main(void) { int s = 0; for (int i = 0; i < 5; i++) { int *p = malloc(8); p[1] = i;
             s += p[1]; free(p); } return s; }",
        ),
        (
            DEREF,
            false,
            "int main(void) { int a[10]; int i = 0; while (i < 100) i++;
             if (__VERIFIER_nondet_int() == 7777) return a[i]; return 0; }",
        ),
        (
            TRACK,
            false,
            "int main(void) { int *p = 0; for (int i = 0; i < 70; i++) if (i == 69) p = malloc(4);
             if (p && __VERIFIER_nondet_int() == 7777) return 0; free(p); return 0; }",
        ),
        (
            DEREF,
            false,
            "int *f(void) { int x = 1; int *p = &x; return p; }
             int main(void) { int *p = f(); return __VERIFIER_nondet_int() == 7777 ? *p : 0; }",
        ),
        (
            Property::NoOverflow,
            false,
            "int main(void) { int s = 1, n = __VERIFIER_nondet_int();
             for (int i = 0; i < n; i++) if (i == 66) s = 2147483647; return s + 1; }",
        ),
        (
            Property::DivByZero,
            true,
            "int f(int n) { int s = 1; while (n-- > 0) s += n; return s; }
             int main(void) { int n = __VERIFIER_nondet_int(); return n > 9 ? 0 : 7 / f(n); }",
        ),
    ] {
        let head = "void *malloc(unsigned long); void free(void *);";
        let program = compile(&format!("{HEAD}{head}{text}"));
        let task = Task { program: &program, property, signed_overflow: SignedOverflow::Undefined };
        let verdict = Bmc::default().solve(&task, &mut Unwatched).verdict;
        assert_eq!(matches!(verdict, Verdict::Proved(_)), is_proved, "{property}: {text}");
    }
}

/// The reason says how far it came; a proof is about the program with loops written out, and about
/// no other.
#[test]
fn what_is_said() {
    let program = compile(&format!(
        "{HEAD}int main(void) {{ int i = 0; while (__VERIFIER_nondet_int()) i++; if (i < 0) reach_error(); }}"
    ));
    let property = Property::UnreachCall;
    let task = Task { program: &program, property, signed_overflow: SignedOverflow::Undefined };
    let Verdict::Unknown(why) = Bmc::default().solve(&task, &mut Unwatched).verdict else {
        panic!("the loop has no end")
    };
    assert_eq!(why, Why::Bounded { turns: 64 });

    let program = compile(&format!(
        "{HEAD}int main(void) {{ int i = 0; while (i < 5) i++; if (i != 5) reach_error(); }}"
    ));
    let task = Task { program: &program, ..task };
    let Verdict::Proved(checked) = Bmc::default().solve(&task, &mut Unwatched).verdict else {
        panic!("it has five turns")
    };
    assert_eq!(checked.proof().unrolled(), Some(6));
    let subject = Instrumented::of(&program, property, &checked);
    let mut smt = lakatos_logic::smt::Smt::new(lakatos_logic::smt::Limits::default());
    let of = |subject: &Instrumented, proof, smt: &mut _| {
        matches!(
            lakatos_check::check(subject, proof, SignedOverflow::Undefined, smt),
            lakatos_check::Outcome::Checked(_)
        )
    };
    let fewer = Instrumented::unrolled(&program, property, 4).expect("it can be unrolled");
    let proof = checked.into_proof();
    let other = proof.redraft(subject.program(), |_, _, f| f).expect("its own words");
    assert!(of(&subject, other, &mut smt));
    let other = proof.redraft(subject.program(), |_, _, f| f).expect("its own words");
    assert!(!of(&fewer, other.of_unrolled(4), &mut smt));
    assert!(!of(&Instrumented::new(&program, property), proof, &mut smt));
}

/// What a run does in the written-out program is what it does in the program, or it takes a turn
/// too many.
#[test]
fn runs_are_the_same() {
    let programs = [
        "int f(int n) { int s = 0; for (int i = 0; i < n; i++) { if (i % 3 == 2) continue; s += i; } return s; }
         int main(void) { int a[4] = {3, 1, 4, 1}; int s = 0; for (int i = 0; i < 4; i++) {
             int j = a[i]; do { s += f(j); } while (--j > 0); } if (s % @ == 0) reach_error(); return s; }",
        "struct p { int x, y; }; struct p swap(struct p p) { struct p q = {p.y, p.x}; return q; }
         int main(void) { struct p p = {1, 2}; int i = @; while (i > 0) { p = swap(p); i -= 2; p.x++; }
             if (p.x == p.y) reach_error(); return p.x; }",
        "int g; int *where(int *p, int n) { for (int i = 0; i < n; i++) p++; return p; }
         int main(void) { int a[8]; for (int i = 0; i < 8; i++) a[i] = i * @; int *p = where(a, 5);
             *p = 1; switch (a[5] + a[@ % 8]) { case 1: reach_error(); default: g = 2; } return g + *where(a, 3); }",
    ];
    let mut ends = [0; 3];
    for text in programs {
        for number in 1..12 {
            let text = format!("{HEAD}{}", text.replace('@', &number.to_string()));
            let program = compile(&text);
            for turns in [2, 5, 8, 10] {
                let property = Property::UnreachCall;
                let unrolled = pass::unroll(program.clone(), property, turns, Beyond::Error);
                // Some are too large then.
                let Some(unrolled) = unrolled else { continue };
                let [plain, written] = [&program, &unrolled].map(|program| {
                    let instrumented = pass::replayed(program, Some(property));
                    interpret::run(&instrumented, &Options::default(), &mut Keyed::default())
                        .outcome
                });
                ends[usize::from(compare(&text, plain, written))] += 1;
            }
        }
    }
    assert!(ends.iter().all(|count| *count > 5), "{ends:?}");
}

/// How the runs ended: 0 both well, 1 both in a violation, 2 by a turn too many.
fn compare(text: &str, plain: Outcome, written: Outcome) -> u8 {
    match (plain, written) {
        (_, Outcome::Violated(violation)) if violation.message.contains("turns") => 2,
        (Outcome::Violated(one), Outcome::Violated(other)) => {
            assert_eq!(one.span, other.span, "{text}");
            1
        }
        (one, other) => {
            assert_eq!(format!("{one:?}"), format!("{other:?}"), "{text}");
            0
        }
    }
}
