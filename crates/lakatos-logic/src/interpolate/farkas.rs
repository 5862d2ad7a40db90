//! Interpolants from certificates: the part of a contradiction that a subtree contributes
//! (DESIGN.md section 4). One certificate gives the interpolants of all nodes.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::Problem;
use super::certificate::{self, Atom, Certificate};
use super::pieces::{self, Piece};
use crate::number::{Int, rem_euclid};
use crate::smt::Smt;
use crate::term::{Node, Relation, Sort, Sum, Term, Terms};

/// A literal and the node it belongs to.
pub(super) type Part = (usize, Term);

/// What is made of a node's part of a contradiction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    Sum,
    Pieces,
}

/// Candidates for all nodes from literals that contradict each other.
pub(super) fn interpolate(
    terms: &mut Terms,
    smt: &mut Smt,
    problem: &Problem,
    literals: &[Part],
    style: Style,
) -> Option<Vec<Term>> {
    if let Some(found) = opposites(terms, problem, literals) {
        return Some(found);
    }
    // First with quotients and remainders as they stand, then written as integer equations.
    for purify in [false, true] {
        let mut atoms = Atoms::default();
        for (node, literal) in literals {
            if let Some((relation, sum)) = terms.as_comparison(*literal)
                && sum.monomials.iter().all(|(t, _)| terms.sort(*t) == Sort::Int)
            {
                atoms.add(terms, *node, Atom { sum, relation }, purify);
            }
        }
        if purify && atoms.quotients.is_empty() {
            break;
        }
        if let Some(found) = certificate::find(terms, smt, &atoms.atoms) {
            return Some(candidates(terms, problem, &atoms, found, style));
        }
    }
    None
}

/// Two literals, one the negation of the other; or one that is false.
fn opposites(terms: &mut Terms, problem: &Problem, literals: &[Part]) -> Option<Vec<Term>> {
    let mut seen: FxHashMap<Term, usize> = FxHashMap::default();
    for (node, literal) in literals {
        if *literal == Term::FALSE {
            let candidates = (0..problem.len()).map(|v| terms.bool(!problem.contains(v, *node)));
            return Some(candidates.collect());
        }
        let negation = terms.not(*literal);
        if let Some(other) = seen.get(&negation) {
            let candidates = (0..problem.len()).map(|v| {
                match (problem.contains(v, *other), problem.contains(v, *node)) {
                    (true, true) => Term::FALSE,
                    (true, false) => negation,
                    (false, true) => *literal,
                    (false, false) => Term::TRUE,
                }
            });
            return Some(candidates.collect());
        }
        seen.entry(*literal).or_insert(*node);
    }
    None
}

/// Linear atoms with their nodes.
#[derive(Default)]
struct Atoms {
    atoms: Vec<Atom>,
    nodes: Vec<usize>,
    /// The quotient of a division in a node: a symbol of that node alone.
    quotients: BTreeMap<(usize, Term, Int), Term>,
    /// Remainders whose range is stated.
    ranged: BTreeMap<(usize, Term), ()>,
}

impl Atoms {
    fn add(&mut self, terms: &mut Terms, node: usize, mut atom: Atom, purify: bool) {
        atom.sum = match purify {
            true => self.pure(terms, node, &atom.sum),
            false => self.bounded(terms, node, atom.sum),
        };
        self.push(node, atom);
    }

    fn push(&mut self, node: usize, atom: Atom) {
        self.atoms.push(atom);
        self.nodes.push(node);
    }

    fn push_bound(&mut self, node: usize, sum: Sum) {
        self.push(node, Atom { sum, relation: Relation::NonPositive });
    }

    /// States the range of each remainder in a sum.
    fn bounded(&mut self, terms: &mut Terms, node: usize, sum: Sum) -> Sum {
        for (term, _) in &sum.monomials {
            if let Some((_, modulus)) = remainder(terms, *term)
                && self.ranged.insert((node, *term), ()).is_none()
            {
                self.push_range(node, terms.sum_of(*term), &modulus);
            }
        }
        sum
    }

    fn push_range(&mut self, node: usize, rest: Sum, modulus: &Int) {
        let mut high = rest.clone();
        high.constant -= modulus - Int::ONE;
        self.push_bound(node, rest.scale(&Int::NEG_ONE));
        self.push_bound(node, high);
    }

    /// A sum without quotients and remainders by constants: `a mod m` is `a - m·q` and `a div m`
    /// is `q`, for a `q` of this node with `0 <= a - m·q < m`.
    fn pure(&mut self, terms: &mut Terms, node: usize, sum: &Sum) -> Sum {
        let mut pure = Sum::constant(sum.constant.clone());
        for (term, coefficient) in &sum.monomials {
            let written = if let Some((of, modulus)) = remainder(terms, *term) {
                self.rest(terms, node, of, &modulus)
            } else if let Some((of, divisor)) = quotient(terms, *term) {
                let quotient = self.quotient(terms, node, of, &divisor);
                terms.sum_of(quotient)
            } else {
                terms.sum_of(*term)
            };
            pure = pure.add_scaled(&written, coefficient);
        }
        pure
    }

    fn rest(&mut self, terms: &mut Terms, node: usize, of: Term, modulus: &Int) -> Sum {
        let quotient = self.quotient(terms, node, of, modulus);
        let of = terms.sum_of(of);
        let dividend = self.pure(terms, node, &of);
        dividend.add_scaled(&terms.sum_of(quotient), &-modulus)
    }

    fn quotient(&mut self, terms: &mut Terms, node: usize, of: Term, divisor: &Int) -> Term {
        let key = (node, of, divisor.clone());
        if let Some(known) = self.quotients.get(&key) {
            return *known;
        }
        // No symbol of a program has such a name.
        let name = format!("quotient!!{}@{node}", self.quotients.len());
        let quotient = terms.symbol(&name, Sort::Int);
        self.quotients.insert(key, quotient);
        let rest = self.rest(terms, node, of, divisor);
        self.push_range(node, rest, divisor);
        quotient
    }
}

/// `of mod modulus`.
fn remainder(terms: &Terms, term: Term) -> Option<(Term, Int)> {
    match *terms.node(term) {
        Node::Mod(of, by) => Some((of, terms.as_int(by).filter(|m| **m > Int::ZERO)?.clone())),
        _ => None,
    }
}

/// `of div divisor`.
fn quotient(terms: &Terms, term: Term) -> Option<(Term, Int)> {
    match *terms.node(term) {
        Node::Div(of, by) => Some((of, terms.as_int(by).filter(|d| **d > Int::ZERO)?.clone())),
        _ => None,
    }
}

/// What a subtree contributes to the contradiction.
#[derive(Clone)]
struct Share {
    sum: Sum,
    /// Only equations contribute.
    equation: bool,
}

fn shares(problem: &Problem, atoms: &Atoms, multipliers: &[Int]) -> Vec<Share> {
    let nothing = Share { sum: Sum::constant(Int::ZERO), equation: true };
    let mut shares = vec![nothing; problem.len()];
    for ((atom, node), multiplier) in atoms.atoms.iter().zip(&atoms.nodes).zip(multipliers) {
        if !multiplier.is_zero() {
            shares[*node].add(&atom.sum, multiplier, atom.relation == Relation::Zero);
        }
    }
    for node in 0..problem.len() {
        for child in problem.children(node) {
            let below = shares[*child].clone();
            shares[node].add(&below.sum, &Int::ONE, below.equation);
        }
    }
    shares
}

impl Share {
    fn add(&mut self, sum: &Sum, factor: &Int, equation: bool) {
        let own = std::mem::replace(&mut self.sum, Sum::constant(Int::ZERO));
        self.sum = own.add_scaled(sum, factor);
        self.equation &= equation;
    }
}

fn candidates(
    terms: &mut Terms,
    problem: &Problem,
    atoms: &Atoms,
    certificate: Certificate,
    style: Style,
) -> Vec<Term> {
    match certificate {
        Certificate::Farkas(multipliers) if style == Style::Pieces => {
            decomposed(terms, problem, atoms, &multipliers)
        }
        Certificate::Farkas(multipliers) => {
            inequalities(terms, problem, &shares(problem, atoms, &multipliers))
        }
        Certificate::Divisibility { multipliers, modulus } => {
            let shares = shares(problem, atoms, &multipliers);
            shares.iter().map(|share| divisible(terms, &share.sum, &modulus)).collect()
        }
    }
}

/// For each node its own atoms and the pieces of its children, without what is local to it.
fn decomposed(
    terms: &mut Terms,
    problem: &Problem,
    atoms: &Atoms,
    multipliers: &[Int],
) -> Vec<Term> {
    let vocabularies = problem.vocabularies(terms);
    let mut pieces: Vec<Vec<Piece>> = vec![Vec::new(); problem.len()];
    for ((atom, node), multiplier) in atoms.atoms.iter().zip(&atoms.nodes).zip(multipliers) {
        if !multiplier.is_zero() {
            pieces[*node].push(Piece::new(&atom.sum, multiplier));
        }
    }
    for node in 0..problem.len() {
        let own = std::mem::take(&mut pieces[node]);
        let below = problem.children(node).iter().flat_map(|c| pieces[*c].clone());
        let all = below.chain(own).collect();
        let is_shared = |term: Term| terms.free_symbols(term).is_subset(&vocabularies[node]);
        pieces[node] = pieces::eliminate(all, is_shared);
    }
    pieces.iter().map(|p| pieces::conjunction(terms, p)).collect()
}

/// The modulus divides the share: terms of one side only have coefficients that it divides.
fn divisible(terms: &mut Terms, share: &Sum, modulus: &Int) -> Term {
    let mut residue = share.clone();
    residue.monomials.retain(|(_, c)| !rem_euclid(c, modulus).is_zero());
    let sum = terms.sum(residue, Sort::Int);
    let modulus = terms.int(modulus.clone());
    let rest = terms.modulo(sum, modulus);
    let zero = terms.int(0);
    terms.eq(rest, zero)
}

/// `share <= slack` for each node. The contradiction is a positive constant, so less than that may
/// be given away on the way to the root: it is spent to keep the bound of the node below, since
/// the same bound again and again is an invariant and a growing one is not.
fn inequalities(terms: &mut Terms, problem: &Problem, shares: &[Share]) -> Vec<Term> {
    let mut left = &shares[problem.root()].sum.constant - Int::ONE;
    let mut slack = vec![Int::ZERO; problem.len()];
    let mut steady = vec![true; problem.len()];
    for node in 0..problem.len() {
        let children = problem.children(node);
        let spent: Int = children.iter().map(|c| &slack[*c]).fold(Int::ZERO, |a, b| a + b);
        steady[node] = children.iter().all(|c| steady[*c]);
        slack[node] = spent.clone();
        let like = children.iter().find(|c| same_shape(&shares[**c].sum, &shares[node].sum));
        if let Some(like) = like {
            let bound = &shares[*like].sum.constant - &slack[*like];
            let wanted = &shares[node].sum.constant - bound;
            steady[node] &= wanted == spent;
            let extra = (wanted - &spent).max(Int::ZERO).min(left.clone());
            left -= &extra;
            slack[node] += extra;
        }
    }
    let relation = |node: usize| match shares[node].equation && steady[node] {
        true => Relation::Zero,
        false => Relation::NonPositive,
    };
    (0..problem.len())
        .map(|node| {
            let mut sum = shares[node].sum.clone();
            sum.constant -= &slack[node];
            terms.compare(relation(node), sum, Sort::Int)
        })
        .collect()
}

/// The same coefficients, whichever terms they belong to.
fn same_shape(a: &Sum, b: &Sum) -> bool {
    let coefficients = |sum: &Sum| {
        let mut sorted: Vec<Int> = sum.monomials.iter().map(|(_, c)| c.clone()).collect();
        sorted.sort_unstable();
        sorted
    };
    !a.monomials.is_empty() && coefficients(a) == coefficients(b)
}
