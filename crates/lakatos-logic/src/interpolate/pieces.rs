//! What a subtree contributes to a contradiction, in as many pieces as there are: a conjunction of
//! bounds instead of their sum. `x >= 1 && y >= 0` may hold in the next round of a loop where
//! `x + 2y >= 1` is of no use; and the other way round, so both are offered.

use std::collections::BTreeMap;

use dashu_base::Signed;

use crate::number::{Int, Rational, lcm};
use crate::term::{Relation, Sort, Sum, Term, Terms};

/// With more pieces than this, a node's contribution is summed up.
const PIECES: usize = 24;

/// A positive combination of atoms: `Σ coefficient · term + constant <= 0`.
#[derive(Clone, Debug, Default)]
pub(super) struct Piece {
    coefficients: BTreeMap<Term, Rational>,
    constant: Rational,
}

impl Piece {
    pub fn new(sum: &Sum, factor: &Int) -> Piece {
        let rational = |n: &Int| Rational::from(n * factor);
        Piece {
            coefficients: sum.monomials.iter().map(|(t, c)| (*t, rational(c))).collect(),
            constant: rational(&sum.constant),
        }
    }

    fn add(&mut self, other: &Piece, factor: &Rational) {
        for (term, coefficient) in &other.coefficients {
            let own = self.coefficients.entry(*term).or_default();
            *own += coefficient * factor;
            if own.is_zero() {
                self.coefficients.remove(term);
            }
        }
        self.constant += &other.constant * factor;
    }

    fn formula(&self, terms: &mut Terms) -> Term {
        let denominators = self.coefficients.values().chain([&self.constant]);
        let common = denominators
            .fold(Int::ONE, |common, n| lcm(&common, &Int::from(n.denominator().clone())));
        let whole = |n: &Rational| &common / Int::from(n.denominator().clone()) * n.numerator();
        let monomials = self.coefficients.iter().map(|(t, c)| (*t, whole(c))).collect();
        let sum = Sum { monomials, constant: whole(&self.constant), denominator: Int::ONE };
        terms.compare(Relation::NonPositive, sum, Sort::Int)
    }
}

/// The pieces without the terms that only they speak of. Those cancel out in the sum of all.
pub(super) fn eliminate(mut pieces: Vec<Piece>, is_shared: impl Fn(Term) -> bool) -> Vec<Piece> {
    let local = |pieces: &[Piece]| {
        let mut all = pieces.iter().flat_map(|p| p.coefficients.keys());
        all.find(|t| !is_shared(**t)).copied()
    };
    while let Some(term) = local(&pieces) {
        pieces = match pieces.len() > PIECES {
            true => vec![summed(&pieces)],
            false => balance(pieces, term),
        };
    }
    pieces.retain(|p| !p.coefficients.is_empty() || p.constant.is_positive());
    pieces
}

fn summed(pieces: &[Piece]) -> Piece {
    let mut sum = Piece::default();
    pieces.iter().for_each(|p| sum.add(p, &Rational::ONE));
    sum
}

/// Pieces with a term and pieces with its opposite, joined in pairs in which it cancels out.
fn balance(pieces: Vec<Piece>, term: Term) -> Vec<Piece> {
    let has = |p: &Piece, positive: bool| {
        p.coefficients.get(&term).is_some_and(|c| c.is_positive() == positive)
    };
    let (mut kept, with): (Vec<Piece>, Vec<Piece>) =
        pieces.into_iter().partition(|p| !p.coefficients.contains_key(&term));
    let (above, below): (Vec<Piece>, Vec<Piece>) = with.into_iter().partition(|p| has(p, true));
    let amount = |p: &Piece| p.coefficients[&term].clone();
    let mut left: Vec<Rational> = below.iter().map(|p| -amount(p)).collect();
    let mut at = 0;
    for piece in &above {
        let whole = amount(piece);
        let mut open = whole.clone();
        while !open.is_zero() && at < below.len() {
            let part = if open < left[at] { open.clone() } else { left[at].clone() };
            let mut joined = Piece::default();
            joined.add(piece, &(&part / &whole));
            joined.add(&below[at], &(&part / -amount(&below[at])));
            kept.push(joined);
            open -= &part;
            left[at] -= &part;
            if left[at].is_zero() {
                at += 1;
            }
        }
    }
    kept
}

pub(super) fn conjunction(terms: &mut Terms, pieces: &[Piece]) -> Term {
    let parts: Vec<Term> = pieces.iter().map(|p| p.formula(terms)).collect();
    terms.and(parts)
}
