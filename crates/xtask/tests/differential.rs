//! The interpreter and the compiler agree: a hundred random programs per data model, and probes.

use lakatos_ir::DataModel;
use xtask::differential::differential;
use xtask::probes::probes;

#[track_caller]
fn check(model: DataModel, count: u64) {
    let found = differential(1, count, model).expect("a C compiler");
    let shown: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert!(shown.is_empty(), "{}", shown.join("\n"));
}

#[test]
fn random_programs_lp64() {
    check(DataModel::Lp64, 100);
}

#[test]
fn random_programs_ilp32() {
    check(DataModel::Ilp32, 30);
}

#[test]
fn sizes_offsets_types_and_constants() {
    let summary = probes(1, 5).expect("a C compiler");
    let shown: Vec<String> = summary.mismatches.iter().map(ToString::to_string).collect();
    assert!(shown.is_empty(), "{}", shown.join("\n"));
    assert!(summary.asked > 10_000);
}
