//! Updates: a lemma about two states that differ at some places, as one about an array and the same
//! array with something written to it.
//!
//! ```text
//! (\forall k; k != i ==> a1[k] == a2[k]) ==> P(a1, a2, i)      for all a1, a2, i
//! P(a, a[i := v], i)                                           for all a, i, v
//! ```
//!
//! mean the same, since `a2` is `a1` with `a2[i]` written at `i`. The second is what formulas of
//! programs look like. It may be several places, too. Where two states differ from a third one, and
//! a premise says that a value in one is a value in the other, they are one variable: what changes
//! places is in both.

use std::collections::BTreeSet;

use lakatos_ir::IntType;
use lakatos_logic::number::Int;
use lakatos_logic::term::{Node, Quantifier, Sort, Symbol, Term, Terms};
use rustc_hash::FxHashMap;

/// Two arrays that are equal but for these places.
struct Agreement {
    from: Symbol,
    to: Symbol,
    places: Vec<Term>,
}

/// The lemma's formula, with arrays replaced by writes to others as long as a premise says so.
pub(crate) fn as_stores(
    terms: &mut Terms,
    mut formula: Term,
    elements: &mut Vec<(Symbol, IntType)>,
    variables: &mut Vec<Symbol>,
) -> Term {
    let mut values: BTreeSet<Symbol> = BTreeSet::new();
    while let Some(agreement) = agreement(terms, formula, elements) {
        let Agreement { from, to, places } = agreement;
        let ty = elements.iter().find(|(symbol, _)| *symbol == to).map(|(_, ty)| *ty);
        let mut written = terms.symbol_term(from);
        for place in places {
            let value = terms.fresh("v", Sort::Int);
            let symbol = terms.as_symbol(value).expect("a fresh symbol is a symbol");
            variables.push(symbol);
            values.insert(symbol);
            elements.extend(ty.map(|ty| (symbol, ty)));
            written = terms.store(written, place, value);
        }
        elements.retain(|(symbol, _)| *symbol != to);
        variables.retain(|symbol| *symbol != to);
        formula = terms.substitute(formula, &FxHashMap::from_iter([(to, written)]));
        // The premise itself is true now, which the solver would have to find out.
        formula = without_trivial(terms, formula);
    }
    while let Some((one, other)) = same(terms, formula, &values, elements) {
        elements.retain(|(symbol, _)| *symbol != other);
        variables.retain(|symbol| *symbol != other);
        let one = terms.symbol_term(one);
        formula = terms.substitute(formula, &FxHashMap::from_iter([(other, one)]));
    }
    formula
}

/// A premise that says that two of the values that are written are one. They are of one type: else the
/// lemma would say more without the range of the other one.
fn same(
    terms: &Terms,
    formula: Term,
    values: &BTreeSet<Symbol>,
    elements: &[(Symbol, IntType)],
) -> Option<(Symbol, Symbol)> {
    let ty = |symbol: Symbol| elements.iter().find(|(s, _)| *s == symbol).map(|(_, ty)| *ty);
    terms.disjuncts(formula).into_iter().find_map(|part| {
        let Node::Not(premise) = *terms.node(part) else { return None };
        let Node::Zero(number) = *terms.node(premise) else { return None };
        let sum = terms.sum_of(number);
        let [(a, x), (b, y)] = sum.monomials.as_slice() else { return None };
        let is_equation = sum.constant.is_zero() && *x == -y.clone();
        let (a, b) = (terms.as_symbol(*a)?, terms.as_symbol(*b)?);
        let are_values = values.contains(&a) && values.contains(&b) && ty(a) == ty(b);
        (is_equation && are_values).then_some((a, b))
    })
}

/// A premise that says so: the negation of it is one of the alternatives of an implication.
fn agreement(
    terms: &mut Terms,
    formula: Term,
    elements: &[(Symbol, IntType)],
) -> Option<Agreement> {
    for part in terms.disjuncts(formula) {
        let Node::Not(premise) = *terms.node(part) else { continue };
        let Node::Quantified(Quantifier::Forall, ref bound, body) = *terms.node(premise) else {
            continue;
        };
        let &[index] = &**bound else { continue };
        for (from, ty) in elements {
            for (to, other) in elements {
                if from == to || ty != other {
                    continue;
                }
                if let Some(places) = places(terms, index, body, *from, *to) {
                    return Some(Agreement { from: *from, to: *to, places });
                }
            }
        }
    }
    None
}

/// Where two arrays may differ, if the body says `index == p1 || … || from[index] == to[index]`.
fn places(
    terms: &mut Terms,
    index: Symbol,
    body: Term,
    from: Symbol,
    to: Symbol,
) -> Option<Vec<Term>> {
    let at = terms.symbol_term(index);
    let (from, array) = (terms.symbol_term(from), terms.symbol_term(to));
    let (a, b) = (terms.select(from, at), terms.select(array, at));
    let equal = terms.eq(a, b);
    let mut parts = terms.disjuncts(body);
    let position = parts.iter().position(|part| *part == equal)?;
    parts.remove(position);
    let mut places = Vec::new();
    for part in parts {
        let place = solved(terms, part, index)?;
        let free = terms.free_symbols(place);
        if free.contains(&index) || free.contains(&to) {
            return None;
        }
        // Solved rightly: the equation is the same term again.
        if terms.eq(at, place) != part {
            return None;
        }
        places.push(place);
    }
    Some(places)
}

/// What an equation says that a symbol is.
fn solved(terms: &mut Terms, equation: Term, symbol: Symbol) -> Option<Term> {
    let Node::Zero(number) = *terms.node(equation) else { return None };
    let own = terms.symbol_term(symbol);
    let mut sum = terms.sum_of(number);
    let at = sum.monomials.iter().position(|(part, _)| *part == own)?;
    let (_, factor) = sum.monomials.remove(at);
    let rest = terms.sum(sum, Sort::Int);
    match factor {
        factor if factor == Int::ONE => Some(terms.neg(rest)),
        factor if factor == Int::NEG_ONE => Some(rest),
        _ => None,
    }
}

/// Without premises that say that an array is itself with something written to it.
fn without_trivial(terms: &mut Terms, formula: Term) -> Term {
    let parts = terms.disjuncts(formula);
    let kept: Vec<Term> = parts.into_iter().filter(|part| !is_trivial(terms, *part)).collect();
    terms.or(kept)
}

/// `!(forall k. k == i || a[k] == a[i := v][k])`, which is false.
fn is_trivial(terms: &mut Terms, part: Term) -> bool {
    let Node::Not(premise) = *terms.node(part) else { return false };
    let Node::Quantified(Quantifier::Forall, ref bound, body) = *terms.node(premise) else {
        return false;
    };
    let &[index] = &**bound else { return false };
    let at = terms.symbol_term(index);
    let parts = terms.disjuncts(body);
    let outside = |terms: &mut Terms, place: Term| {
        let equal = terms.eq(at, place);
        parts.contains(&equal)
    };
    parts.clone().into_iter().any(|part| {
        let Some((from, mut array)) = two_reads(terms, part, at) else { return false };
        while let Node::Store(inner, place, _) = *terms.node(array) {
            if !outside(terms, place) {
                return false;
            }
            array = inner;
        }
        array == from
    })
}

/// `from[at] == array[at]`, where something is written to the second array.
fn two_reads(terms: &mut Terms, equation: Term, at: Term) -> Option<(Term, Term)> {
    let Node::Zero(number) = *terms.node(equation) else { return None };
    let reads: Vec<Term> = terms.sum_of(number).monomials.iter().map(|(part, _)| *part).collect();
    let &[a, b] = reads.as_slice() else { return None };
    for (first, second) in [(a, b), (b, a)] {
        let (Node::Select(from, i), Node::Select(array, j)) =
            (terms.node(first).clone(), terms.node(second).clone())
        else {
            continue;
        };
        let same = terms.eq(first, second) == equation;
        if i == at && j == at && same && matches!(terms.node(array), Node::Store(..)) {
            return Some((from, array));
        }
    }
    None
}
