//! Random programs: every access of a run is where the analysis says.

use lakatos_ir::DataModel;
use lakatos_ir::interpret::{Outcome, Random};
use lakatos_ir::points_to::PointsTo;

use super::generate;
use super::watch::watch;

/// Each test has so many programs, in both data models, each with so many inputs.
const PROGRAMS: u64 = 45;
const RUNS: u64 = 3;

fn check(seeds: std::ops::Range<u64>) {
    let (mut accesses, mut regions) = (0, 0);
    for seed in seeds {
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            let text = generate::program(seed, model);
            let program = super::program(&text, model);
            let memory = PointsTo::new(&program);
            regions += memory.regions().len();
            for run in 0..RUNS {
                let seen = watch(&program, &memory, &mut Random::new(seed * RUNS + run));
                let problems = &seen.problems;
                assert!(problems.is_empty(), "seed {seed}, {model:?}: {problems:#?}\n{text}");
                let outcome = &seen.run.outcome;
                let ended = matches!(outcome, Outcome::Exited(_));
                assert!(ended, "seed {seed}, {model:?}: {outcome:?}\n{text}");
                accesses += seen.accesses;
            }
        }
    }
    // The programs are not trivial, and memory is not one lump.
    assert!(accesses > PROGRAMS * 200, "{accesses} accesses");
    assert!(regions > PROGRAMS as usize * 40, "{regions} regions");
}

#[test]
fn accesses_are_where_the_analysis_says() {
    check(0..PROGRAMS);
}

#[test]
fn accesses_are_where_the_analysis_says_too() {
    check(PROGRAMS..2 * PROGRAMS);
}

#[test]
fn accesses_are_where_the_analysis_says_again() {
    check(2 * PROGRAMS..3 * PROGRAMS);
}

#[test]
fn accesses_are_where_the_analysis_says_still() {
    check(3 * PROGRAMS..4 * PROGRAMS);
}
