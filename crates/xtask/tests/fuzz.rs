//! The engine gives no wrong verdict on a hundred random programs, in a few settings each.

use xtask::fuzz::{Options, fuzz};

#[test]
fn verdicts_on_random_programs() {
    // No limit of time: the answers are the same everywhere.
    let options = Options { first: 1, count: 100, timeout: None, nodes: 300, settings: 2 };
    let summary = fuzz(&options, |_, _| {}).expect("threads");
    let shown: Vec<String> = summary.findings.iter().map(ToString::to_string).collect();
    assert!(shown.is_empty(), "{}", shown.join("\n"));
    // Both kinds are there, and most are decided.
    assert!(summary.safe > 25 && summary.unsafe_ > 25, "{summary}");
    let proofs = summary.count(true, "proofs");
    let refutations = summary.count(false, "refutations");
    assert!(proofs > summary.safe && refutations > summary.unsafe_, "{summary}");
}
