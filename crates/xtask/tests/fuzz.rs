//! The engine gives no wrong verdict on a hundred random programs, in a few settings each.

use std::time::Duration;

use lakatos_ir::{DataModel, Severity, Source};
use xtask::fuzz::proofs::{self, Change, Options, Summary};
use xtask::fuzz::{self, Engines, fuzz};

#[test]
fn verdicts_on_random_programs() {
    // Nodes alone do not end every run soon: single refinements may take minutes.
    let timeout = Some(Duration::from_millis(100));
    let options = fuzz::Options {
        first: 1,
        count: 100,
        timeout,
        nodes: 300,
        settings: 2,
        engines: Engines::All,
    };
    let summary = fuzz(&options, |_, _| {}).expect("threads");
    let shown: Vec<String> = summary.findings.iter().map(ToString::to_string).collect();
    assert!(shown.is_empty(), "{}", shown.join("\n"));
    // Both kinds are there, and on any machine some are decided.
    assert!(summary.safe > 20 && summary.unsafe_ > 20, "{summary}");
    let decided = summary.count(true, "proofs") + summary.count(false, "refutations");
    assert!(decided > 10, "{summary}");
}

/// Twenty proofs of random programs, changed: what is false in a state that is reached is never
/// accepted.
#[test]
fn mutants_of_proofs_on_random_programs() {
    let summary = mutants(1, 20);
    assert!(summary.findings.is_empty(), "{}", summary.findings.join("\n"));
    let false_: u64 = summary.mutants.values().map(|counts| counts.false_).sum();
    assert!(summary.proofs == 20 && false_ > 100, "{summary}");
    // Nearly every kind of change applies somewhere.
    assert!(summary.mutants.len() + 4 >= Change::ALL.len(), "{summary}");
    assert!(summary.numbers.false_ > 0 && summary.moved.false_ > 0, "{summary}");
}

fn mutants(first: u64, proofs: u64) -> Summary {
    let options = Options { first, proofs, corpus: Vec::new() };
    proofs::mutants(&options, |_| {}).expect("a thread")
}

/// The front-end takes the programs of the edge, or says by name what it does not support.
#[test]
fn programs_of_the_edge_are_no_errors() {
    for seed in 0..150 {
        let text = fuzz::edge::show(seed);
        let options = lakatos_c::Options::of_model(DataModel::Lp64);
        if let Err(failure) = lakatos_c::compile(Source::new("edge.c", text.as_str()), &options) {
            let errors = failure.diagnostics.iter().filter(|d| d.severity == Severity::Error);
            assert_eq!(errors.count(), 0, "{:?}\n{text}", failure.diagnostics);
        }
    }
}

/// A return or an argument that overflows had been taken for one that leads on, so that contracts of
/// functions which never return seemed false.
#[test]
fn steps_that_are_undefined_lead_nowhere() {
    for seed in [91, 179, 468, 472] {
        let summary = mutants(seed, 1);
        assert!(summary.findings.is_empty(), "{}", summary.findings.join("\n"));
        assert_eq!(summary.proofs, 1);
    }
}
