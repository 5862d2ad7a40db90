//! Random formulas over a few small symbols, with a meaning of their own: the oracle knows neither
//! terms nor solvers.

use fastrand::Rng;
use lakatos_logic::cubes::{Abstractor, Literal, PredId, Region};
use lakatos_logic::term::{Sort, Term, Terms};

const NUMBERS: [&str; 3] = ["x", "y", "z"];
const FLAGS: [&str; 2] = ["f", "g"];
/// Numbers are from minus this to this; a [`Case`]'s formula says so.
const BOUND: i64 = 4;

/// Values of the symbols.
#[derive(Clone, Copy, Debug)]
pub struct State {
    numbers: [i64; 3],
    flags: [bool; 2],
}

impl State {
    fn all() -> impl Iterator<Item = State> {
        let side = 2 * BOUND + 1;
        (0..side.pow(3) * 4).map(move |n| State {
            numbers: [n, n / side, n / side / side].map(|digit| digit % side - BOUND),
            flags: [1, 2].map(|bit| (n / side.pow(3)) & bit != 0),
        })
    }
}

#[derive(Clone, Debug)]
pub enum Formula {
    Flag(usize),
    /// A linear combination of the numbers is at most so much.
    AtMost([i64; 3], i64),
    Equal([i64; 3], i64),
    /// Its remainder by the first number is the second one.
    Remainder([i64; 3], i64, i64),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Same(Vec<Formula>),
}

impl Formula {
    pub fn random(rng: &mut Rng, depth: u32) -> Formula {
        if depth == 0 {
            return Formula::atom(rng);
        }
        let kind = rng.u32(..8);
        let mut parts = |n| (0..n).map(|_| Formula::random(rng, depth - 1)).collect();
        match kind {
            0..3 => Formula::And(parts(3)),
            3..6 => Formula::Or(parts(2)),
            6 => Formula::Same(parts(2)),
            _ => Formula::Not(Box::new(Formula::random(rng, depth - 1))),
        }
    }

    fn atom(rng: &mut Rng) -> Formula {
        let kind = rng.u32(..10);
        // Often few symbols, so that some parts have none in common.
        let weights = [0, 0, 0, 0, 0, 1, 1, -1, 2, -2];
        let mut sum = [0; 3].map(|_| weights[rng.usize(..weights.len())]);
        sum[rng.usize(..3)] = 1;
        match kind {
            0 => Formula::Flag(rng.usize(..FLAGS.len())),
            1..3 => Formula::Equal(sum, rng.i64(-3..=3)),
            3 => Formula::Remainder(sum, rng.i64(2..=3), rng.i64(..2)),
            _ => Formula::AtMost(sum, rng.i64(-5..=5)),
        }
    }

    pub fn holds(&self, state: &State) -> bool {
        let value = |sum: &[i64; 3]| -> i64 { (0..3).map(|i| sum[i] * state.numbers[i]).sum() };
        match self {
            Formula::Flag(i) => state.flags[*i],
            Formula::AtMost(sum, bound) => value(sum) <= *bound,
            Formula::Equal(sum, other) => value(sum) == *other,
            Formula::Remainder(sum, by, rest) => value(sum).rem_euclid(*by) == *rest,
            Formula::Not(inner) => !inner.holds(state),
            Formula::And(parts) => parts.iter().all(|p| p.holds(state)),
            Formula::Or(parts) => parts.iter().any(|p| p.holds(state)),
            Formula::Same(parts) => parts[0].holds(state) == parts[1].holds(state),
        }
    }

    pub fn term(&self, terms: &mut Terms) -> Term {
        match self {
            Formula::Flag(i) => terms.symbol(FLAGS[*i], Sort::Bool),
            Formula::AtMost(sum, bound) => {
                let (sum, bound) = (linear(terms, sum), terms.int(*bound));
                terms.le(sum, bound)
            }
            Formula::Equal(sum, other) => {
                let (sum, other) = (linear(terms, sum), terms.int(*other));
                terms.eq(sum, other)
            }
            Formula::Remainder(sum, by, rest) => {
                let (sum, by, rest) = (linear(terms, sum), terms.int(*by), terms.int(*rest));
                let remainder = terms.modulo(sum, by);
                terms.eq(remainder, rest)
            }
            Formula::Not(inner) => {
                let inner = inner.term(terms);
                terms.not(inner)
            }
            Formula::And(parts) => {
                let parts: Vec<Term> = parts.iter().map(|p| p.term(terms)).collect();
                terms.and(parts)
            }
            Formula::Or(parts) => {
                let parts: Vec<Term> = parts.iter().map(|p| p.term(terms)).collect();
                terms.or(parts)
            }
            Formula::Same(parts) => {
                let (a, b) = (parts[0].term(terms), parts[1].term(terms));
                terms.iff(a, b)
            }
        }
    }
}

fn linear(terms: &mut Terms, sum: &[i64; 3]) -> Term {
    let parts: Vec<Term> = (0..3)
        .map(|i| {
            let symbol = terms.symbol(NUMBERS[i], Sort::Int);
            terms.scale(&sum[i].into(), symbol)
        })
        .collect();
    terms.add_all(parts, Sort::Int)
}

/// A formula, which bounds all numbers, and predicates.
#[derive(Debug)]
pub struct Case {
    pub formula: Formula,
    pub predicates: Vec<Formula>,
}

impl Case {
    pub fn random(seed: u64) -> Case {
        let mut rng = Rng::with_seed(seed);
        let unit = |i: usize, sign: i64| [0, 1, 2].map(|j| if i == j { sign } else { 0 });
        let mut conjuncts: Vec<Formula> = (0..3)
            .flat_map(|i| [1, -1].map(|sign| Formula::AtMost(unit(i, sign), BOUND)))
            .collect();
        for _ in 0..rng.usize(..5) {
            let depth = rng.u32(..3);
            conjuncts.push(Formula::random(&mut rng, depth));
        }
        let predicates = (0..rng.usize(..=8))
            .map(|_| {
                let depth = rng.u32(..6) / 4;
                Formula::random(&mut rng, depth)
            })
            .collect();
        Case { formula: Formula::And(conjuncts), predicates }
    }

    /// The literals of the predicates that are no constants, without repetitions.
    pub fn literals(&self, terms: &mut Terms, abstractor: &mut Abstractor) -> Vec<Known> {
        let mut known: Vec<Known> = Vec::new();
        for formula in &self.predicates {
            let term = formula.term(terms);
            let Ok(literal) = abstractor.predicate(terms, term) else { continue };
            if known.iter().all(|k| k.literal.predicate != literal.predicate) {
                known.push(Known { literal, formula: formula.clone() });
            }
        }
        known
    }

    /// The cubes of the states in which the formula holds.
    pub fn feasible(&self, literals: &[Known]) -> Vec<Vec<Literal>> {
        let mut cubes: Vec<Vec<Literal>> = State::all()
            .filter(|state| self.formula.holds(state))
            .map(|state| literals.iter().map(|k| k.in_state(&state)).collect())
            .collect();
        cubes.sort_unstable();
        cubes.dedup();
        cubes
    }
}

/// A literal with its meaning.
#[derive(Debug)]
pub struct Known {
    pub literal: Literal,
    formula: Formula,
}

impl Known {
    /// It or its negation.
    fn in_state(&self, state: &State) -> Literal {
        match self.formula.holds(state) {
            true => self.literal,
            false => !self.literal,
        }
    }
}

pub fn ids(literals: &[Known]) -> Vec<PredId> {
    literals.iter().map(|k| k.literal.predicate).collect()
}

pub fn union(cubes: &[Vec<Literal>]) -> Region {
    cubes.iter().fold(Region::bottom(), |all, c| all.or(&Region::cube(c.iter().copied())))
}

/// The strongest cube around all of them.
pub fn hull(cubes: &[Vec<Literal>]) -> Region {
    let Some((first, rest)) = cubes.split_first() else { return Region::bottom() };
    let common = first.iter().filter(|literal| rest.iter().all(|cube| cube.contains(literal)));
    Region::cube(common.copied())
}
