//! Interpolants that generalise: counterexamples unrolled further and further, whose interpolants
//! must stay the same formula. Values of single steps (`x = 3 and y = 3`) would prove nothing of
//! the next counterexample.

mod problems;

use std::collections::BTreeSet;

use lakatos_logic::interpolate::{Interpolator, Strategy};
use lakatos_logic::smt::Smt;
use lakatos_logic::term::{Symbol, Term, Terms};
use problems::draft::Draft;
use problems::formula::{Formula, all, named};
use problems::{oracle, paths};
use rustc_hash::FxHashMap;

use Strategy::{Auto, Backward, BinaryPerNode, Farkas, Nested, Newton, Spacer, Tree, WellScoped};

/// One problem for each node.
const NODE_BY_NODE: [Strategy; 4] = [Backward, Nested, WellScoped, BinaryPerNode];

/// The strategies find the same formulas, in the order of their first occurrence and without the
/// numbers of steps, for every length.
fn check(
    family: fn(usize) -> Draft,
    lengths: &[usize],
    strategies: &[Strategy],
    expect: &[Formula],
) {
    for length in lengths {
        for strategy in strategies {
            let mut terms = Terms::new();
            let found = interpolate(&family(*length), &mut terms, *strategy);
            let mut distinct: Vec<Term> = Vec::new();
            for interpolant in found {
                let general = without_steps(&mut terms, interpolant);
                if !distinct.contains(&general) {
                    distinct.push(general);
                }
            }
            let expect: Vec<Term> = expect.iter().map(|f| f.term(&mut terms)).collect();
            let show = |formulas: &[Term]| {
                let texts = formulas.iter().map(|f| terms.display(*f).to_string());
                texts.collect::<Vec<_>>().join("\n")
            };
            assert_eq!(show(&distinct), show(&expect), "{strategy} for {length} steps");
        }
    }
}

/// Checked interpolants; no candidate was rejected on the way.
fn interpolate(draft: &Draft, terms: &mut Terms, strategy: Strategy) -> Vec<Term> {
    let problem = draft.problem(terms);
    let mut smt = Smt::default();
    let mut interpolator = Interpolator::new(&mut smt);
    let found = interpolator.interpolate(terms, &problem, strategy);
    let rejected = interpolator.take_rejected();
    assert!(rejected.is_empty(), "{strategy}: {rejected:?}");
    let found = found.unwrap_or_else(|failure| panic!("{strategy}: {failure}"));
    oracle::verify(draft, terms, &found).unwrap_or_else(|wrong| panic!("{strategy}: {wrong}"));
    found
}

/// `x` in the place of `x@3`.
fn without_steps(terms: &mut Terms, formula: Term) -> Term {
    let mut map: FxHashMap<Symbol, Term> = FxHashMap::default();
    for symbol in terms.free_symbols(formula) {
        let name = terms.symbol_name(symbol);
        let name = name.split_once('@').map_or(name, |(name, _)| name).to_string();
        map.insert(symbol, terms.symbol(&name, terms.symbol_sort(symbol)));
    }
    terms.substitute(formula, &map)
}

fn x() -> problems::formula::Expr {
    named("x")
}

#[test]
fn counters_stay_equal() {
    let equal = [x().is(named("y"))];
    check(paths::equal_counters, &[5, 20, 50], &[Auto, Farkas, Tree, Spacer], &equal);
    check(paths::equal_counters, &[5, 12], &NODE_BY_NODE, &equal);
}

#[test]
fn a_counter_stays_within_its_bound() {
    let within = [Formula::truth(), named("i").at_most(named("n"))];
    for family in [paths::counter_loop, paths::noisy_counter_loop] {
        check(family, &[5, 20, 50], &[Auto, Farkas, Tree, Spacer, Newton], &within);
        check(family, &[5, 12], &NODE_BY_NODE, &within);
    }
}

#[test]
fn a_sum_stays_twice_a_counter() {
    let twice = || named("s").is(named("i") * 2);
    check(paths::doubled_exactly, &[5, 20, 50], &[Auto, Farkas, Tree], &[twice()]);
    check(paths::doubled_exactly, &[5, 20], &[Spacer], &[twice()]);
    check(paths::doubled_exactly, &[5, 12], &NODE_BY_NODE, &[twice()]);
    // With a bound, the last one has to know it.
    let bounded = all([twice(), named("s").at_most(named("n") * 2)]);
    check(paths::doubled, &[5, 20, 50], &[Auto, Farkas, Tree], &[twice(), bounded.clone()]);
    check(paths::doubled, &[5, 12], &NODE_BY_NODE, &[twice(), bounded]);
}

#[test]
fn a_number_stays_even() {
    let even = [(x() % 2).is(0)];
    for family in [paths::parity, paths::remainders] {
        check(family, &[5, 20, 50], &[Auto, Farkas, Tree, Newton], &even);
        check(family, &[5, 12], &[Nested, WellScoped, BinaryPerNode], &even);
    }
    check(paths::parity, &[5, 20], &[Spacer], &[((x() + 1) % 2).differs(0)]);
    check(paths::remainders, &[5, 20], &[Spacer], &[(x() % 2).differs(1)]);
}

/// The bound is a constant: one that grows with every step is none of the loop's.
#[test]
fn a_counter_stays_positive() {
    let positive = [named("i").is(0), named("i").at_least(0)];
    check(paths::not_negative, &[5, 20, 50], &[Auto, Farkas, Tree], &positive);
}

#[test]
fn both_branches_keep_the_ratio() {
    let (x, y) = (|| named("x"), || named("y"));
    let ratio = [all([x().at_most(y() * 2), y().at_most(x() * 2)])];
    check(paths::branching, &[5, 20], &[Spacer], &ratio);
    check(paths::branching, &[20], &[Auto], &ratio);
}

/// The calls of McCarthy's 91 function for 94: what a call tells speaks of its own parameter and
/// result, and 91 is among it.
#[test]
fn calls_of_mccarthy_91() {
    let draft = paths::mccarthy91(94, paths::not_91);
    assert_eq!(draft.nodes.len(), 15);
    for strategy in Strategy::ALL {
        let mut terms = Terms::new();
        let found = interpolate(&draft, &mut terms, strategy);
        let mut general = Vec::new();
        for (node, interpolant) in found.into_iter().enumerate() {
            let own = BTreeSet::from([format!("n@{node}"), format!("r@{node}")]);
            let names = oracle::names(&terms, interpolant);
            assert!(names.is_subset(&own), "{strategy}: {names:?} at {node}");
            general.push(without_steps(&mut terms, interpolant));
        }
        let result = named("r").is(91).term(&mut terms);
        assert!(general.contains(&result), "{strategy}");
        let distinct: BTreeSet<Term> = general.into_iter().collect();
        // Bounds one by one are more than their sums.
        let most = if strategy == Strategy::Decomposed { 5 } else { 4 };
        assert!(distinct.len() <= most, "{strategy}: {} formulas", distinct.len());
    }
}

/// Appendix A of the BAM thesis: what a call tells speaks of what is passed to it and comes back.
#[test]
fn calls_of_appendix_a() {
    let draft = paths::appendix_a();
    for strategy in Strategy::ALL {
        let mut terms = Terms::new();
        let found = interpolate(&draft, &mut terms, strategy);
        for (node, own) in [(0, vec!["a0"]), (2, vec!["p1", "r0"]), (5, vec!["p0", "r1"])] {
            let names = oracle::names(&terms, found[node]);
            let own: BTreeSet<String> = own.into_iter().map(str::to_owned).collect();
            assert!(names.is_subset(&own), "{strategy}: {names:?} at {node}");
        }
    }
}
