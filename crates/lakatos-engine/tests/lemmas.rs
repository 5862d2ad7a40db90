//! Definitions and lemmas in proofs: those that hold help, and those that do not never lead to a proof
//! of what is wrong unless the proof names them.

mod common;

use std::collections::BTreeSet;
use std::sync::Arc;

use common::compile;
use lakatos_acsl::env::Table;
use lakatos_acsl::tree::Theory;
use lakatos_analysis::domain::Granularity;
use lakatos_check::{Checked, Verdict, Why};
use lakatos_engine::bam::Bam;
use lakatos_engine::horn::Horn;
use lakatos_engine::stack_cegar::StackCegar;
use lakatos_engine::{Arrays, Engine, Helped, Means, Task, Unwatched};
use lakatos_evidence::Assumption;
use lakatos_ir::{DataModel, Property, SignedOverflow, Source};
use lakatos_lemmas::{judge, translate};
use lakatos_logic::lemma::Knowledge;
use lakatos_logic::smt::{Limits, Smt};
use lakatos_logic::term::Terms;

const SUM: &str = include_str!("../../../lemmas/sum.acsl");
const EVEN: &str = include_str!("../../../lemmas/even.acsl");
const MAX: &str = include_str!("../../../lemmas/max.acsl");
/// Wrong lemma files, with the names of what does not hold in them.
const WRONG: &str = include_str!("../../lakatos-lemmas/tests/wrong.txt");

const HEAD: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
";

/// `None`: the files are refused.
fn knowledge(files: &[(&str, &str)]) -> Option<Knowledge> {
    let mut theory = Theory::default();
    for (name, text) in files {
        let source = Source::new(*name, *text);
        let read = match name.ends_with(".yml") {
            true => lakatos_acsl::read_lemma_sets(&mut theory, source, &Table::default()),
            false => lakatos_acsl::read_file(&mut theory, source, &Table::default()),
        };
        read.ok()?;
    }
    let mut terms = Terms::new();
    let translation = translate(&mut terms, &theory, DataModel::Lp64);
    let limits = Limits { resources: Some(2_000_000), time: None };
    let judged = judge(&mut terms, &mut Smt::new(limits), &translation);
    match judged.contradiction {
        Some(_) => None,
        None => Some(judged.knowledge(Arc::new(terms), &translation)),
    }
}

fn verdict(text: &str, knowledge: Knowledge) -> Verdict {
    verdict_of(text, &Arrays { knowledge, ..Arrays::default() })
}

fn verdict_of(text: &str, engine: &dyn Engine) -> Verdict {
    let program = compile(&format!("{HEAD}{text}"));
    let (property, signed_overflow) = (Property::UnreachCall, SignedOverflow::Undefined);
    let task = Task { program: &program, property, signed_overflow };
    engine.solve(&task, &mut Unwatched).verdict
}

fn prove(text: &str, knowledge: Knowledge) -> Option<Box<Checked>> {
    match verdict(text, knowledge) {
        Verdict::Proved(checked) => Some(checked),
        _ => None,
    }
}

/// The lemmas that a proof rests on.
fn assumed(checked: &Checked) -> BTreeSet<String> {
    let lemma = |assumption: &Assumption| match assumption {
        Assumption::Lemma(name) => Some(name.clone()),
        _ => None,
    };
    checked.proof().assumptions().iter().filter_map(lemma).collect()
}

/// With `safe` for `@` it is proved with the lemmas, which cost nothing, and without them it is not;
/// with `broken` it is never.
#[track_caller]
fn check(name: &str, lemmas: &str, text: &str, safe: &str, broken: &str) {
    let known = knowledge(&[("t.acsl", lemmas)]).expect("nothing is wrong with them");
    let (safe, broken) = (text.replace('@', safe), text.replace('@', broken));
    let Some(checked) = prove(&safe, known.clone()) else { panic!("{name}: {safe}") };
    assert_eq!(assumed(&checked), BTreeSet::new(), "{name}");
    assert!(prove(&safe, Knowledge::default()).is_none(), "{name}: {safe}");
    assert!(prove(&broken, known).is_none(), "{name}: {broken}");
}

#[test]
fn sums() {
    check(
        "there and back",
        SUM,
        "int a[800]; int main(void) { long long s = 0;
             for (int i = 0; i < 800; i++) a[i] = __VERIFIER_nondet_int();
             for (int i = 0; i < 800; i++) s += a[i];
             for (int i = @; i < 800; i++) s -= a[i];
             if (s != 0) reach_error(); }",
        "0",
        "1",
    );
    check(
        "an exchange changes nothing",
        SUM,
        "int a[800]; int main(void) { long long s = 0, t = 0;
             for (int i = 0; i < 800; i++) a[i] = __VERIFIER_nondet_int();
             for (int i = 0; i < 800; i++) s += a[i];
             int x = a[3]; a[3] = a[5] @; a[5] = x;
             for (int i = 0; i < 800; i++) t += a[i];
             if (s != t) reach_error(); }",
        "",
        "+ 1",
    );
}

/// No conjunction of what all runs have in common is enough: in one mode it is the sum, in the other
/// its negation. Predicates over sums are found by refinement, wherever lemmas are used.
#[test]
fn sums_by_cases() {
    let known = knowledge(&[("t.acsl", SUM)]).expect("nothing is wrong with it");
    let text = "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 900) return 0;
             int a[900]; int m = __VERIFIER_nondet_int(); long long s = 0, t = 0;
             for (int i = 0; i < n; i++) if (m) s += a[i]; else s -= a[i];
             for (int i = 0; i < n; i++) t += a[i];
             if (m ? s != t : s != @t) reach_error(); }";
    let (safe, broken) = (text.replace('@', "-"), text.replace('@', ""));
    for precision in [Granularity::Location, Granularity::Function, Granularity::Global] {
        let engine = Arrays { knowledge: known.clone(), precision, ..Arrays::default() };
        assert!(matches!(verdict_of(&safe, &engine), Verdict::Proved(_)), "{precision:?}");
    }
    assert!(prove(&broken, known.clone()).is_none());
    assert!(prove(&safe, Knowledge::default()).is_none());
    // A loop of a procedure that is called in case of an error is none of the start.
    let other =
        "void failed(int k) { while (k) { k--; if (k == 7) reach_error(); } reach_error(); }";
    let safe = format!("{other} {}", safe.replace("reach_error()", "failed(m)"));
    assert!(prove(&safe, known).is_some());
}

/// Engines for which arrays are memory know lemmas, too: by predicates over sums, each in its own way.
#[test]
fn sums_by_other_engines() {
    let known = knowledge(&[("t.acsl", SUM)]).expect("nothing is wrong with it");
    let text = "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 900) return 0;
             int a[900]; long long s = 0, t = 0;
             for (int i = 0; i < n; i++) s += a[i];
             for (int i = 0; i < n; i++) t += a[i];
             if (s != t@) reach_error(); }";
    let (safe, broken) = (text.replace('@', ""), text.replace('@', " + 1"));
    let engines: [(Box<dyn Engine>, Means); 3] = [
        (Box::new(StackCegar::default()), Means::Abstraction),
        (Box::new(Bam::default()), Means::Abstraction),
        (Box::new(Horn::default()), Means::Spacer),
    ];
    for (engine, means) in engines {
        let name = engine.name();
        let lemmas = Arrays { knowledge: known.clone(), means, ..Arrays::default() };
        assert!(matches!(verdict_of(&safe, &lemmas), Verdict::Proved(_)), "{means:?}");
        assert!(matches!(verdict_of(&broken, &lemmas), Verdict::Unknown(_)), "{means:?}");
        let helped = Helped { engine, lemmas };
        assert_eq!(helped.name(), name);
        assert!(matches!(verdict_of(&safe, &helped), Verdict::Proved(_)), "{name}");
        assert!(matches!(verdict_of(&broken, &helped), Verdict::Refuted(_)), "{name}");
    }
}

/// What one turn does differently is known in the others, and after the loop.
#[test]
fn sums_with_one_more() {
    check(
        "one element counts once more",
        SUM,
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 900) return 0;
             int a[900]; int from = __VERIFIER_nondet_int(); long long s = 0, t = 0;
             for (int i = 0; i < n; i++) { s += a[i]; if (i == from) s++; }
             for (int i = 0; i < n; i++) t += a[i];
             if (s != t + (0 <= from && from < n@)) reach_error(); }",
        "",
        " - 1",
    );
}

#[test]
fn largest_elements() {
    let known = knowledge(&[("t.acsl", MAX)]).expect("nothing is wrong with it");
    let text = "int a[800]; int main(void) {
             for (int i = 0; i < 800; i++) a[i] = __VERIFIER_nondet_int();
             int m = a[0], n = a[0]; for (int i = 1; i < 800; i++) if (a[i] > m) m = a[i];
             for (int i = 1; i < 800; i++) if (a[i] > n) n = a[i];
             if (m != n) reach_error(); }";
    let checked = prove(text, known).expect("both are the maximum");
    assert_eq!(assumed(&checked), BTreeSet::new());
}

/// Two neighbours change places, then all elements go round: as many are even as before, if none is
/// lost on the way.
#[test]
fn even_numbers_that_go_round() {
    let known = knowledge(&[("t.acsl", EVEN)]).expect("nothing is wrong with them");
    let text = "int a[50]; int f(void) { int s = 0;
             for (int i = 0; i < 50; i++) if (a[i] % 2 == 0) s++; else s--; return s; }
         int main(void) {
             for (int i = 0; i < 50; i++) a[i] = __VERIFIER_nondet_int();
             int first = f(), t = a[0]; a[0] = a[1]; a[1] = t;
             int second = f(); t = a[0];
             for (int i = 0; i < 49; i++) a[i] = a[i + 1];
             a[@] = t;
             if (first != second || first != f()) reach_error(); }";
    let checked = prove(&text.replace('@', "49"), known.clone()).expect("none is lost");
    assert_eq!(assumed(&checked), BTreeSet::new());
    assert!(prove(&text.replace('@', "48"), known).is_none());
}

/// What is assumed is named.
#[test]
fn assumptions_are_named() {
    let text = "axiomatic totals {
          logic integer total{L}(int *a, integer n);
          axiom none{L}: \\forall int *a, integer n; n <= 0 ==> total(a, n) == 0;
        }
        logic integer sum{L}(int *a, integer n) = n <= 0 ? 0 : sum(a, n - 1) + a[n - 1];
        admit lemma small{L}: \\forall int *a, integer n; sum(a, n) <= 5;";
    let known = knowledge(&[("t.acsl", text)]);
    // `small` is false at small values, so the whole is refused.
    assert!(known.is_none());
    let text = "logic integer sum{L}(int *a, integer n) = n <= 0 ? 0 : sum(a, n - 1) + a[n - 1];
        admit lemma small{L}: \\forall int *a, integer n; n <= 100 ==> sum(a, n) <= 900000000000;";
    let known = knowledge(&[("t.acsl", text)]).expect("nobody sees that it is false");
    let program = "int a[90]; int main(void) { long long s = 0;
             for (int i = 0; i < 90; i++) a[i] = __VERIFIER_nondet_int();
             for (int i = 0; i < 90; i++) s += a[i];
             if (s > 900000000000) reach_error(); }";
    let checked = prove(program, known);
    if let Some(checked) = checked {
        assert_eq!(assumed(&checked), BTreeSet::from(["small".to_owned()]));
    }
}

/// Nobody sees that a lemma is false, and it would be a proof: but a run says otherwise, since it fails,
/// or since it is nowhere near a failure but in a state that the lemma excludes.
#[test]
fn runs_that_lemmas_exclude() {
    let text = "logic integer sum{L}(int *a, integer n) = n <= 0 ? 0 : sum(a, n - 1) + a[n - 1];
        admit lemma harmless{L}: \\forall int *a, integer n; n <= 10 ==> sum(a, n) != 99999999999;
        admit lemma never{L}: \\forall int *a, integer n; n == 20 ==> sum(a, n) != 0;";
    let known = knowledge(&[("t.acsl", text)]).expect("nobody sees that it is false");
    let program = |condition: &str| {
        format!(
            "int a[20]; int main(void) {{ long long s = 0;
             for (int i = 0; i < 20; i++) a[i] = __VERIFIER_nondet_int();
             for (int i = 0; i < 20; i++) s += a[i];
             if (s == 0{condition}) reach_error(); }}"
        )
    };
    assert!(matches!(verdict(&program(""), known.clone()), Verdict::Refuted(_)));
    match verdict(&program(" && a[3] == 777 && a[4] == 1234"), known.clone()) {
        Verdict::Unknown(Why::ExcludedRun { lemmas, .. }) => {
            assert_eq!(lemmas, BTreeSet::from(["never".to_owned()]));
        }
        other => panic!("{other:?}"),
    }
    // No run is in a state that is excluded here.
    let other = program("").replace("20", "19");
    assert!(matches!(verdict(&other, known), Verdict::Unknown(_)));
}

/// Programs that always or sometimes fail.
const UNSAFE: [&str; 2] = [
    "int a[60]; int main(void) { long long s = 0;
         for (int i = 0; i < 60; i++) a[i] = __VERIFIER_nondet_int();
         for (int i = 0; i < 60; i++) s += a[i];
         if (s == 0) reach_error(); }",
    "int a[60], b[60]; int main(void) { int m = 0;
         for (int i = 0; i < 60; i++) { a[i] = 1; b[i] = i; }
         for (int i = 0; i < 60; i++) if (b[i] > m) m = b[i];
         reach_error(); }",
];

#[test]
fn wrong_lemmas() {
    let (mut refused, mut used) = (0, 0);
    for file in WRONG.split("=== ").skip(1) {
        let (head, text) = file.split_once('\n').unwrap();
        let (title, wrong) = head.split_once(" | wrong: ").unwrap_or((head, ""));
        let name = if title.starts_with("YAML") { "t.yml" } else { "t.acsl" };
        let Some(known) = knowledge(&[(name, text)]) else {
            refused += 1;
            continue;
        };
        used += 1;
        for program in UNSAFE {
            if let Some(checked) = prove(program, known.clone()) {
                let named = assumed(&checked);
                let guilty = wrong.split(", ").any(|name| named.contains(name));
                assert!(guilty, "{title} proves {program}, assuming {named:?}");
            }
        }
    }
    assert!(refused >= 20 && used >= 20, "{refused} refused, {used} used");
}
