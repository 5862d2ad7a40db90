//! Equations of a clause's constraint put in place of symbols: `y = x + 1 ∧ P(x) → Q(y)` is
//! `P(x) → Q(x + 1)`.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::horn::{Clause, System};
use crate::number::Int;
use crate::term::{Node, Relation, Symbol, Term, Terms};

/// What is put in place of a symbol may be so large: it is copied into sums.
const MOST_PARTS: usize = 60;

/// Rounds; in each all symbols go whose values do not need each other.
const ROUNDS: usize = 50;

pub(super) fn tidy(terms: &mut Terms, system: &mut System) {
    for clause in &mut system.clauses {
        tidy_clause(terms, clause);
    }
}

pub(super) fn tidy_clause(terms: &mut Terms, clause: &mut Clause) {
    for _ in 0..ROUNDS {
        let map = replacements(terms, clause);
        if map.is_empty() {
            break;
        }
        *clause = clause.map(|roots| terms.substitute_all(roots, &map));
    }
    clause.constraint = tightest(terms, clause.constraint);
}

/// Of bounds of the same sum only the tightest: most are those of types, and say nothing.
fn tightest(terms: &mut Terms, constraint: Term) -> Term {
    let conjuncts = terms.conjuncts(constraint);
    let mut best: FxHashMap<Vec<(Term, Int)>, (Int, usize)> = FxHashMap::default();
    let mut kept: Vec<Option<Term>> = conjuncts.iter().copied().map(Some).collect();
    for (number, conjunct) in conjuncts.iter().enumerate() {
        let Some((Relation::NonPositive, sum)) = terms.as_comparison(*conjunct) else { continue };
        match best.get_mut(&sum.monomials) {
            // The larger the constant, the smaller the rest has to be.
            Some((constant, other)) if sum.constant > *constant => {
                kept[*other] = None;
                (*constant, *other) = (sum.constant, number);
            }
            Some(_) => kept[number] = None,
            None => {
                best.insert(sum.monomials, (sum.constant, number));
            }
        }
    }
    terms.and(kept.into_iter().flatten())
}

fn replacements(terms: &mut Terms, clause: &Clause) -> FxHashMap<Symbol, Term> {
    let ranks = Ranks::new(terms, clause);
    let mut map = FxHashMap::default();
    let mut used: BTreeSet<Symbol> = BTreeSet::new();
    for conjunct in terms.conjuncts(clause.constraint) {
        let Some((symbol, value)) = solved(terms, &ranks, conjunct) else { continue };
        let inside = terms.free_symbols(value);
        let independent = !used.contains(&symbol)
            && !map.contains_key(&symbol)
            && inside.iter().all(|s| !map.contains_key(s));
        if independent && terms.size(value) <= MOST_PARTS {
            used.extend(inside);
            map.insert(symbol, value);
        }
    }
    map
}

/// How much a symbol is worth keeping: arguments of the body most of all.
struct Ranks {
    body: BTreeSet<Symbol>,
    head: BTreeSet<Symbol>,
}

impl Ranks {
    fn new(terms: &Terms, clause: &Clause) -> Ranks {
        let body: Vec<Term> = clause.body.iter().flat_map(|a| a.arguments.clone()).collect();
        let head: Vec<Term> = clause.head.iter().flat_map(|a| a.arguments.clone()).collect();
        Ranks { body: terms.free_symbols_of(&body), head: terms.free_symbols_of(&head) }
    }

    fn of(&self, symbol: Symbol) -> usize {
        match (self.body.contains(&symbol), self.head.contains(&symbol)) {
            (false, false) => 0,
            (false, true) => 1,
            (true, _) => 2,
        }
    }
}

/// A conjunct as the value of a symbol.
fn solved(terms: &mut Terms, ranks: &Ranks, conjunct: Term) -> Option<(Symbol, Term)> {
    if let Some(symbol) = terms.as_symbol(conjunct) {
        return Some((symbol, Term::TRUE));
    }
    match *terms.node(conjunct) {
        Node::Not(inner) => terms.as_symbol(inner).map(|symbol| (symbol, Term::FALSE)),
        Node::Eq(a, b) => {
            let sides = [(a, b), (b, a)].into_iter();
            let sides = sides.filter_map(|(side, value)| Some((terms.as_symbol(side)?, value)));
            let own = sides.filter(|(symbol, v)| !terms.free_symbols(*v).contains(symbol));
            own.min_by_key(|(symbol, _)| ranks.of(*symbol))
        }
        Node::Zero(_) => solved_sum(terms, ranks, conjunct),
        _ => None,
    }
}

/// `x + rest = 0` or `rest - x = 0`.
fn solved_sum(terms: &mut Terms, ranks: &Ranks, conjunct: Term) -> Option<(Symbol, Term)> {
    let (Relation::Zero, sum) = terms.as_comparison(conjunct)? else { return None };
    let (minus, one) = (-Int::ONE, Int::ONE);
    let mut candidates: Vec<(usize, Symbol, Int)> = Vec::new();
    for (term, factor) in &sum.monomials {
        if let Some(symbol) = terms.as_symbol(*term)
            && (*factor == one || *factor == minus)
        {
            candidates.push((ranks.of(symbol), symbol, factor.clone()));
        }
    }
    let sort = terms.sort(sum.monomials.first()?.0);
    candidates.sort_by_key(|(rank, symbol, _)| (*rank, *symbol));
    for (_, symbol, factor) in candidates {
        let mut rest = sum.clone();
        rest.monomials.retain(|(term, _)| terms.as_symbol(*term) != Some(symbol));
        // factor * x + rest = 0
        let value = terms.sum(rest.scale(&-factor), sort);
        if !terms.free_symbols(value).contains(&symbol) {
            return Some((symbol, value));
        }
    }
    None
}
