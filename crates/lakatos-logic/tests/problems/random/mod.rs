//! Random problems by the number of a seed: the same everywhere.

mod sequences;
mod trees;

use fastrand::Rng;
use z3::SatResult;

use super::draft::Draft;
use super::formula::{Expr, Formula, total, var};

pub struct Family {
    pub name: &'static str,
    draw: fn(&mut Rng) -> Draft,
}

pub const FAMILIES: [Family; 20] = [
    Family { name: "counters", draw: sequences::counters },
    Family { name: "bounds", draw: sequences::bounds },
    Family { name: "remainders", draw: sequences::remainders },
    Family { name: "farkas", draw: sequences::farkas },
    Family { name: "integers", draw: sequences::integers },
    Family { name: "diophantine", draw: sequences::diophantine },
    Family { name: "branches", draw: sequences::branches },
    Family { name: "flags", draw: sequences::flags },
    Family { name: "wrapping", draw: sequences::wrapping },
    Family { name: "programs", draw: sequences::programs },
    Family { name: "holes", draw: sequences::holes },
    Family { name: "clauses", draw: sequences::clauses },
    Family { name: "tree calls", draw: trees::calls },
    Family { name: "tree sums", draw: trees::sums },
    Family { name: "tree farkas", draw: trees::farkas },
    Family { name: "tree integers", draw: trees::integers },
    Family { name: "tree diophantine", draw: trees::diophantine },
    Family { name: "tree clauses", draw: trees::clauses },
    Family { name: "tree mccarthy", draw: trees::mccarthy },
    Family { name: "tree fibonacci", draw: trees::fibonacci },
];

/// Which family a seed belongs to.
pub fn family(seed: u64) -> usize {
    (seed % FAMILIES.len() as u64) as usize
}

/// The formulas contradict each other.
pub fn contradiction(seed: u64) -> Draft {
    let mut rng = Rng::with_seed(seed);
    loop {
        let mut draft = (FAMILIES[family(seed)].draw)(&mut rng);
        if rng.u8(0..3) == 0 {
            add_noise(&mut rng, &mut draft);
        }
        if draft.answer() == SatResult::Unsat {
            return draft;
        }
    }
}

/// The formulas hold together, in a problem that is like the others otherwise.
pub fn consistent(seed: u64) -> Draft {
    let mut rng = Rng::with_seed(seed);
    let mut draft = (FAMILIES[family(seed)].draw)(&mut rng);
    while draft.answer() != SatResult::Sat {
        let node = rng.usize(0..draft.nodes.len());
        draft.nodes[node].0 = match draft.nodes[node].0.clone() {
            Formula::And(mut parts) if !parts.is_empty() => {
                parts.remove(rng.usize(0..parts.len()));
                Formula::And(parts)
            }
            _ => Formula::truth(),
        };
    }
    draft
}

/// Formulas over symbols of their own that always hold together.
fn add_noise(rng: &mut Rng, draft: &mut Draft) {
    let noise = |node: usize| var("noise", node);
    for node in 0..draft.nodes.len() {
        let below: Vec<Expr> = draft.children(node).map(noise).collect();
        let formula = match rng.u8(0..4) {
            0 => noise(node).is(total(below) + rng.i64(-3..4)),
            1 => noise(node).at_least(total(below) * 2 - rng.i64(0..9)),
            2 => noise(node).is(super::formula::ite(
                noise(node + 1000).less(rng.i64(-9..9)),
                total(below),
                var("noise", node + 2000),
            )),
            _ => noise(node).differs(rng.i64(-3..4)),
        };
        draft.conjoin(node, formula);
    }
}

/// A number that is not zero.
fn factor(rng: &mut Rng, most: i64) -> i64 {
    match rng.bool() {
        true => rng.i64(1..=most),
        false => -rng.i64(1..=most),
    }
}

/// `Σ factor · variable + constant` as numbers.
#[derive(Clone, Debug)]
struct Row {
    factors: Vec<i64>,
    constant: i64,
    equation: bool,
}

impl Row {
    fn draw(rng: &mut Rng, variables: usize, most: i64) -> Row {
        let mut factors = vec![0; variables];
        for _ in 0..rng.usize(1..=3) {
            factors[rng.usize(0..variables)] = factor(rng, most);
        }
        Row { factors, constant: rng.i64(-9..=9), equation: rng.u8(0..3) == 0 }
    }

    fn add(&mut self, other: &Row, by: i64) {
        for (own, others) in self.factors.iter_mut().zip(&other.factors) {
            *own += others * by;
        }
        self.constant += other.constant * by;
    }

    fn formula(&self) -> Formula {
        let monomials = self.factors.iter().enumerate().filter(|(_, f)| **f != 0);
        let sum = total(monomials.map(|(at, f)| var("v", at) * *f)) + self.constant;
        match self.equation {
            true => sum.is(0),
            false => sum.at_most(0),
        }
    }
}

/// Rows with a combination that is `1 <= 0`.
fn rows_by_farkas(rng: &mut Rng) -> Vec<Formula> {
    let variables = rng.usize(2..=6);
    let mut rows: Vec<Row> = (0..rng.usize(1..=8)).map(|_| Row::draw(rng, variables, 4)).collect();
    let mut last = Row { factors: vec![0; variables], constant: 1, equation: false };
    for row in &rows {
        let by = if row.equation { factor(rng, 3) } else { rng.i64(0..=3) };
        last.add(row, -by);
    }
    // `1 - Σ by · row <= 0` contradicts the others.
    rows.push(last);
    let at = rng.usize(0..rows.len());
    rows.rotate_left(at);
    rows.iter().map(Row::formula).collect()
}

/// Any rows over few variables.
fn rows_of_integers(rng: &mut Rng) -> Vec<Formula> {
    let variables = rng.usize(2..=4);
    let count = rng.usize(variables + 1..=3 * variables);
    (0..count).map(|_| Row::draw(rng, variables, 5).formula()).collect()
}

/// Equations with a combination that a number divides but for its constant.
fn rows_by_divisor(rng: &mut Rng) -> Vec<Formula> {
    let variables = rng.usize(2..=5);
    let modulus = rng.i64(2..=7);
    let mut rows: Vec<Row> = (0..rng.usize(1..=5))
        .map(|_| Row { equation: true, ..Row::draw(rng, variables, 6) })
        .collect();
    let mut last = Row { factors: vec![0; variables], constant: 0, equation: true };
    for row in &rows {
        last.add(row, -rng.i64(-2..=2));
    }
    for factor in &mut last.factors {
        *factor += modulus * rng.i64(-2..=2);
    }
    last.constant += modulus * rng.i64(-2..=2) + rng.i64(1..modulus);
    rows.push(last);
    let at = rng.usize(0..rows.len());
    rows.rotate_left(at);
    rows.iter().map(Row::formula).collect()
}

/// Disjunctions of simple atoms over few small variables and flags.
fn random_clauses(rng: &mut Rng) -> Vec<Formula> {
    let variables = rng.usize(2..=4);
    let mut clauses: Vec<Formula> = (0..variables)
        .map(|at| {
            let v = var("v", at);
            Formula::And(vec![v.clone().at_least(0), v.at_most(rng.i64(1..=3))])
        })
        .collect();
    for _ in 0..rng.usize(variables..=5 * variables) {
        let parts = (0..rng.usize(1..=3)).map(|_| random_atom(rng, variables)).collect();
        clauses.push(Formula::Or(parts));
    }
    rng.shuffle(&mut clauses);
    clauses
}

fn random_atom(rng: &mut Rng, variables: usize) -> Formula {
    let x = var("v", rng.usize(0..variables));
    let y = var("v", rng.usize(0..variables));
    let small = rng.i64(-2..=3);
    let atom = match rng.u8(0..7) {
        0 => x.is(small),
        1 => x.at_most(small),
        2 => x.is(y + small),
        3 => (x + y).at_most(small),
        4 => (x - y * 2).at_least(small),
        5 => ((x + y) % 3).is(small.rem_euclid(3)),
        _ => super::formula::flag("p", rng.usize(0..3)),
    };
    match rng.bool() {
        true => atom,
        false => !atom,
    }
}

/// Deals formulas out to so many nodes; some may get none.
fn deal(rng: &mut Rng, formulas: Vec<Formula>, nodes: usize) -> Vec<Formula> {
    let mut dealt = vec![Formula::truth(); nodes];
    for formula in formulas {
        let at = rng.usize(0..nodes);
        let own = std::mem::replace(&mut dealt[at], Formula::truth());
        dealt[at] = own.and(formula);
    }
    dealt
}
