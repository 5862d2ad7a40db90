//! Predicate abstraction against all states of small worlds, and against the solver cube by cube.

mod theories;
mod world;

use lakatos_logic::cubes::{Abstraction, Abstractor, Gap, PredId, Region, Statistics};
use lakatos_logic::smt::{Limits, Reason, Smt};
use lakatos_logic::term::{Term, Terms};

use self::world::{Case, hull, ids, union};

/// A case with what it takes to abstract it.
struct Run {
    terms: Terms,
    abstractor: Abstractor,
    formula: Term,
    over: Vec<PredId>,
    /// By the oracle.
    boolean: Region,
    cartesian: Region,
}

impl Run {
    fn new(seed: u64) -> Run {
        let case = Case::random(seed);
        let (mut terms, mut abstractor) = (Terms::new(), Abstractor::new());
        let formula = case.formula.term(&mut terms);
        let literals = case.literals(&mut terms, &mut abstractor);
        let feasible = case.feasible(&literals);
        let (boolean, cartesian) = (union(&feasible), hull(&feasible));
        Run { terms, abstractor, formula, over: ids(&literals), boolean, cartesian }
    }

    fn boolean(&mut self, smt: &mut Smt, over: &[PredId]) -> Abstraction {
        self.abstractor.boolean(&mut self.terms, smt, self.formula, over)
    }

    fn cartesian(&mut self, smt: &mut Smt, over: &[PredId]) -> Abstraction {
        self.abstractor.cartesian(&mut self.terms, smt, self.formula, over)
    }

    fn queries(&self) -> u64 {
        self.abstractor.statistics().queries
    }
}

#[test]
fn boolean_is_exactly_the_feasible_cubes() {
    let mut smt = Smt::default();
    let (mut bottoms, mut cubes) = (0, 0);
    for seed in 0..2_000 {
        let mut run = Run::new(seed);
        let over = run.over.clone();
        let found = run.boolean(&mut smt, &over);
        assert_eq!(found, Abstraction { region: run.boolean.clone(), gap: None }, "{seed}");

        // The memory answers what is the same question, part of it, or the facts in it.
        let queries = run.queries();
        assert_eq!(run.boolean(&mut smt, &over), found, "{seed}");
        let some: Vec<PredId> = over.iter().copied().filter(|p| p.index() % 2 == 0).collect();
        assert_eq!(run.boolean(&mut smt, &some).region, run.boolean.keep(&some), "{seed}");
        assert_eq!(run.cartesian(&mut smt, &over).region, run.cartesian, "{seed}");
        assert_eq!(run.queries(), queries, "{seed}");
        bottoms += usize::from(found.region.is_bottom());
        cubes += found.region.cubes().count();
    }
    // Neither all empty nor all trivial.
    assert!(bottoms < 700 && cubes > 4_000, "{bottoms} {cubes}");
}

#[test]
fn cartesian_is_the_strongest_cube() {
    let mut smt = Smt::default();
    for seed in 2_000..2_800 {
        let mut run = Run::new(seed);
        let over = run.over.clone();
        let found = run.cartesian(&mut smt, &over);
        assert_eq!(found, Abstraction { region: run.cartesian.clone(), gap: None }, "{seed}");
        assert!(run.boolean.implies(&found.region), "{seed}");
        // It starts from the facts.
        assert_eq!(run.boolean(&mut smt, &over).region, run.boolean, "{seed}");
    }
}

#[test]
fn more_predicates_as_from_scratch() {
    let mut smt = Smt::default();
    for seed in 3_000..3_400 {
        let mut run = Run::new(seed);
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut order = run.over.clone();
        rng.shuffle(&mut order);
        while !order.is_empty() {
            let some: Vec<PredId> = order.iter().copied().filter(|_| rng.u8(..4) > 0).collect();
            let found = run.boolean(&mut smt, &some);
            let expect = Abstraction { region: run.boolean.keep(&some), gap: None };
            assert_eq!(found, expect, "{seed} {some:?}");
            let facts = run.cartesian(&mut smt, &some);
            assert_eq!(facts.region, Region::cube(facts.region.facts()).and(&facts.region));
            assert!(found.region.implies(&facts.region), "{seed} {some:?}");
            order.pop();
        }
        let over = run.over.clone();
        assert_eq!(run.boolean(&mut smt, &over).region, run.boolean, "{seed}");
        assert_eq!(run.cartesian(&mut smt, &over).region, run.cartesian, "{seed}");
    }
}

/// Which models a solver finds depends on what it was asked before: every run has its own.
#[test]
fn twice_the_same() {
    let all = || {
        let mut smt = Smt::default();
        (0..150).map(|seed| once(&mut smt, seed)).collect::<Vec<_>>()
    };
    let [first, second] = [(); 2].map(|()| std::thread::spawn(all).join().expect("no panic"));
    for (seed, (first, second)) in first.iter().zip(&second).enumerate() {
        assert_eq!(first, second, "{seed}");
    }
}

fn once(smt: &mut Smt, seed: u64) -> (Abstraction, Abstraction, Statistics) {
    let mut run = Run::new(seed);
    let over = run.over.clone();
    let cartesian = run.cartesian(smt, &over);
    (run.boolean(smt, &over), cartesian, run.abstractor.statistics())
}

#[test]
fn little_work_gives_bounds() {
    let mut gaps = Vec::new();
    for resources in [1, 300, 1_000, 3_000] {
        let limits = Limits { resources: Some(resources), time: None };
        let mut smt = Smt::new(limits);
        let mut open = 0;
        for seed in 0..200 {
            let mut run = Run::new(seed);
            let over = run.over.clone();
            for boolean in [true, false] {
                let (found, exact) = match boolean {
                    true => (run.boolean(&mut smt, &over), run.boolean.clone()),
                    false => (run.cartesian(&mut smt, &over), run.cartesian.clone()),
                };
                assert!(exact.implies(&found.region), "{seed} {resources}");
                match found.gap {
                    None => assert_eq!(found.region, exact, "{seed} {resources}"),
                    Some(gap) => assert_eq!(gap, Gap::Unknown(Reason::Resources)),
                }
            }
            let queries = run.queries();
            open += usize::from(!run.boolean(&mut smt, &over).is_exact());
            assert_eq!(run.queries(), queries, "the same limits, the same answer");

            smt.set_limits(Limits::default());
            assert_eq!(run.boolean(&mut smt, &over).region, run.boolean, "{seed} {resources}");
            smt.set_limits(limits);
        }
        gaps.push(open);
    }
    assert!(gaps.is_sorted_by(|more, fewer| more >= fewer), "{gaps:?}");
    assert!(gaps[0] > 50 && gaps[3] < gaps[0], "{gaps:?}");
}

#[test]
fn no_questions_where_none_are_needed() {
    let mut run = Run::new(0);
    let mut smt = Smt::default();
    let all: Vec<PredId> = run.abstractor.predicates().ids().collect();
    run.formula = Term::FALSE;
    assert!(run.boolean(&mut smt, &all).region.is_bottom());
    assert!(run.cartesian(&mut smt, &all).region.is_bottom());
    assert_eq!(run.queries(), 0);

    // All that is asked is whether the predicates go together.
    let formulas: Vec<Term> =
        all.iter().map(|p| run.abstractor.predicates().formula(*p)).take(3).collect();
    run.formula = run.terms.and(formulas);
    let before = run.queries();
    let found = run.boolean(&mut smt, &all[..3]);
    assert!(found.region.is_bottom() || found.region.facts().len() == 3);
    assert!(run.queries() - before <= 3, "one for each part");
}
