//! The laws of lattices, judged by the solver, and the solver judged by trying all values.

use lakatos_ir::IntType;
use lakatos_lattice::space::{Contract, Judgement, Space, Variable, When};
use lakatos_logic::smt::Smt;
use lakatos_logic::term::Term;
use proptest::prelude::*;
use proptest::test_runner::Config;

/// Numbers of two bits: there are few enough states to try them all.
const SMALL: IntType = IntType::signed(2);
const VALUES: std::ops::Range<i64> = -2..2;

/// `x`, a global before and after, and the result.
const VARIABLES: [(&str, When); 4] =
    [("x", When::Entry), ("g", When::Entry), ("g", When::Exit), ("\\result", When::Exit)];
const AT_ENTRY: usize = 2;

/// A formula that this test understands by itself.
#[derive(Clone, Debug)]
enum Formula {
    /// `a * v + b * w <= c`.
    AtMost(usize, i64, usize, i64, i64),
    /// `v == w + c`.
    Equal(usize, usize, i64),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
}

impl Formula {
    fn holds(&self, state: &[i64; 4]) -> bool {
        match self {
            Formula::AtMost(v, a, w, b, c) => a * state[*v] + b * state[*w] <= *c,
            Formula::Equal(v, w, c) => state[*v] == state[*w] + c,
            Formula::Not(inner) => !inner.holds(state),
            Formula::And(a, b) => a.holds(state) && b.holds(state),
            Formula::Or(a, b) => a.holds(state) || b.holds(state),
        }
    }

    fn term(&self, space: &mut Space) -> Term {
        match self {
            Formula::AtMost(v, a, w, b, c) => {
                let (v, w) = (space.symbol(*v), space.symbol(*w));
                let terms = space.terms();
                let (v, w) = (terms.scale(&(*a).into(), v), terms.scale(&(*b).into(), w));
                let (sum, bound) = (terms.add(v, w), terms.int(*c));
                terms.le(sum, bound)
            }
            Formula::Equal(v, w, c) => {
                let (v, w) = (space.symbol(*v), space.symbol(*w));
                let terms = space.terms();
                let c = terms.int(*c);
                let w = terms.add(w, c);
                terms.eq(v, w)
            }
            Formula::Not(inner) => {
                let inner = inner.term(space);
                space.terms().not(inner)
            }
            Formula::And(a, b) => {
                let parts = [a.term(space), b.term(space)];
                space.terms().and(parts)
            }
            Formula::Or(a, b) => {
                let parts = [a.term(space), b.term(space)];
                space.terms().or(parts)
            }
        }
    }
}

fn formulas(variables: usize) -> impl Strategy<Value = Formula> {
    let variable = 0..variables;
    let at_most = (variable.clone(), -1..2i64, variable.clone(), -1..2i64, -2..3i64)
        .prop_map(|(v, a, w, b, c)| Formula::AtMost(v, a, w, b, c));
    let equal =
        (variable.clone(), variable, -1..2i64).prop_map(|(v, w, c)| Formula::Equal(v, w, c));
    prop_oneof![at_most, equal].prop_recursive(2, 4, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|f| Formula::Not(Box::new(f))),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| Formula::And(a.into(), b.into())),
            (inner.clone(), inner).prop_map(|(a, b)| Formula::Or(a.into(), b.into())),
        ]
    })
}

type Pair = (Formula, Formula);

fn pairs() -> impl Strategy<Value = Pair> {
    (formulas(AT_ENTRY), formulas(VARIABLES.len()))
}

fn space() -> Space {
    let variable =
        |(name, when): &(&str, When)| Variable { name: (*name).to_owned(), ty: SMALL, when: *when };
    Space::new(VARIABLES.iter().map(variable).collect())
}

fn contract(space: &mut Space, (requires, ensures): &Pair) -> Contract {
    let (requires, ensures) = (requires.term(space), ensures.term(space));
    space.contract(requires, ensures).expect("a precondition speaks of the entry only")
}

/// The definition of refinement, tried on all states.
fn refines(fine: &Pair, coarse: &Pair) -> bool {
    let states = VALUES.flat_map(|x| VALUES.map(move |g| (x, g)));
    let states = states.flat_map(|(x, g)| VALUES.map(move |h| (x, g, h)));
    let mut states = states.flat_map(|(x, g, h)| VALUES.map(move |r| [x, g, h, r]));
    states.all(|state| {
        !coarse.0.holds(&state)
            || fine.0.holds(&state) && (!fine.1.holds(&state) || coarse.1.holds(&state))
    })
}

/// The paper's meet and join, as this test writes them.
fn meet(a: &Pair, b: &Pair) -> Pair {
    let implied = |pair: &Pair| {
        let premise = Formula::Not(Box::new(pair.0.clone()));
        Formula::Or(premise.into(), pair.1.clone().into())
    };
    let requires = Formula::Or(a.0.clone().into(), b.0.clone().into());
    (requires, Formula::And(implied(a).into(), implied(b).into()))
}

fn join(a: &Pair, b: &Pair) -> Pair {
    let requires = Formula::And(a.0.clone().into(), b.0.clone().into());
    (requires, Formula::Or(a.1.clone().into(), b.1.clone().into()))
}

proptest! {
    #![proptest_config(Config { cases: 60, failure_persistence: None, ..Config::default() })]

    #[test]
    fn the_solver_agrees_with_all_values(a in pairs(), b in pairs()) {
        let (mut space, mut smt) = (space(), Smt::default());
        let (ca, cb) = (contract(&mut space, &a), contract(&mut space, &b));
        let (met, joined) = (space.meet(&ca, &cb), space.join(&ca, &cb));
        let all = [(a.clone(), ca), (b.clone(), cb), (meet(&a, &b), met), (join(&a, &b), joined)];
        for (fine, fine_contract) in &all {
            for (coarse, coarse_contract) in &all {
                let judged = space.refines(&mut smt, fine_contract, coarse_contract);
                prop_assert!(!matches!(judged, Judgement::Unknown(_)));
                prop_assert_eq!(judged == Judgement::Yes, refines(fine, coarse));
            }
        }
    }

    #[test]
    fn contracts_are_a_bounded_lattice(a in pairs(), b in pairs(), c in pairs()) {
        let (mut space, mut smt) = (space(), Smt::default());
        let [a, b, c] = [a, b, c].map(|pair| contract(&mut space, &pair));
        let (bottom, top) = (space.bottom(), space.top());
        let (ab, ba) = (space.meet(&a, &b), space.meet(&b, &a));
        let (ab_c, bc) = (space.meet(&ab, &c), space.meet(&b, &c));
        let a_bc = space.meet(&a, &bc);
        let (a_b, b_a) = (space.join(&a, &b), space.join(&b, &a));
        let (a_b_c, b_c) = (space.join(&a_b, &c), space.join(&b, &c));
        let a_b_c_ = space.join(&a, &b_c);
        let (absorbed, absorbed_too) = (space.meet(&a, &a_b), space.join(&a, &ab));
        let (aa, a_a) = (space.meet(&a, &a), space.join(&a, &a));
        let (least, greatest) = (space.meet(&a, &bottom), space.join(&a, &top));
        let (same, same_too) = (space.meet(&a, &top), space.join(&a, &bottom));
        for (left, right) in [
            (&ab, &ba), (&a_b, &b_a), (&ab_c, &a_bc), (&a_b_c, &a_b_c_), (&absorbed, &a),
            (&absorbed_too, &a), (&aa, &a), (&a_a, &a), (&least, &bottom), (&greatest, &top),
            (&same, &a), (&same_too, &a),
        ] {
            prop_assert_eq!(space.equivalent(&mut smt, left, right), Judgement::Yes);
        }
        for (fine, coarse) in [(&ab, &a), (&ab, &b), (&a, &a_b), (&b, &a_b)] {
            prop_assert_eq!(space.refines(&mut smt, fine, coarse), Judgement::Yes);
        }
        let yes = |space: &mut Space, smt: &mut Smt, fine: &Contract, coarse: &Contract| {
            space.refines(smt, fine, coarse) == Judgement::Yes
        };
        // The greatest of the lower bounds, and the least of the upper ones.
        let below = yes(&mut space, &mut smt, &c, &a) && yes(&mut space, &mut smt, &c, &b);
        prop_assert_eq!(below, yes(&mut space, &mut smt, &c, &ab));
        let above = yes(&mut space, &mut smt, &a, &c) && yes(&mut space, &mut smt, &b, &c);
        prop_assert_eq!(above, yes(&mut space, &mut smt, &a_b, &c));
        if yes(&mut space, &mut smt, &a, &b) && yes(&mut space, &mut smt, &b, &c) {
            prop_assert!(yes(&mut space, &mut smt, &a, &c), "refinement is transitive");
        }
    }
}
