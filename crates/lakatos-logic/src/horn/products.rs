//! Products that equations say are something else. Spacer finds hardly anything where numbers are multiplied;
//! but where `s == i * i` is known, a constraint can speak of `s`.

use rustc_hash::FxHashMap;

use super::Clause;
use crate::number::Int;
use crate::term::{Node, Relation, Sort, Term, Terms};

/// A clause with what is known where it applies, without products; `None` where equations do not say what they
/// are, or nothing is known of any. What is known of products beyond equations is left out: the clause
/// says less, but derives the same.
pub(super) fn without_products(
    terms: &mut Terms,
    clause: &Clause,
    facts: &[Term],
) -> Option<Clause> {
    let values = values(terms, facts);
    let mut clause = clause.map(|roots| terms.replace_all(roots, &values));
    if values.is_empty() || multiplies(terms, &clause.roots()) {
        return None;
    }
    let mut known = terms.replace_all(facts, &values);
    known.retain(|fact| !multiplies(terms, &[*fact]));
    clause.constraint = terms.and([clause.constraint].into_iter().chain(known));
    Some(clause)
}

/// What products are, as equations say one after the other.
fn values(terms: &mut Terms, facts: &[Term]) -> FxHashMap<Term, Term> {
    let mut values: FxHashMap<Term, Term> = FxHashMap::default();
    for fact in facts {
        let fact = terms.replace(*fact, &values);
        let Some((product, value)) = solved(terms, fact) else { continue };
        let one = FxHashMap::from_iter([(product, value)]);
        for known in values.values_mut() {
            *known = terms.replace(*known, &one);
        }
        values.insert(product, value);
    }
    values.retain(|_, value| !multiplies(terms, &[*value]));
    values
}

/// An equation as what one of its products is, in whole numbers.
fn solved(terms: &mut Terms, fact: Term) -> Option<(Term, Term)> {
    let (Relation::Zero, mut sum) = terms.as_comparison(fact)? else { return None };
    let is_product = |(term, coefficient): &(Term, Int)| {
        let is_unit = *coefficient == Int::ONE || *coefficient == -Int::ONE;
        is_unit && matches!(terms.node(*term), Node::Product(_)) && terms.sort(*term) == Sort::Int
    };
    let at = sum.monomials.iter().position(is_product)?;
    let (product, coefficient) = sum.monomials.remove(at);
    let value = terms.sum(sum.scale(&-coefficient), Sort::Int);
    Some((product, value))
}

/// Whether there are products in formulas.
pub(super) fn multiplies(terms: &Terms, formulas: &[Term]) -> bool {
    let parts = terms.parts_first(formulas);
    parts.into_iter().any(|part| matches!(terms.node(part), Node::Product(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sum of products: numbers and what they are multiplied with, of `x`, `y` and `z`.
    type Polynomial<'a> = &'a [(i64, &'a str)];

    fn polynomial(terms: &mut Terms, parts: Polynomial<'_>) -> Term {
        let mut sum = terms.int(0);
        for (factor, names) in parts {
            let mut product = terms.int(*factor);
            for name in names.chars() {
                let factor = terms.symbol(&name.to_string(), Sort::Int);
                product = terms.mul(product, factor);
            }
            sum = terms.add(sum, product);
        }
        sum
    }

    /// Sums that are zero, and what becomes of another one that is at most zero.
    fn check(zeros: &[Polynomial<'_>], constraint: Polynomial<'_>, expected: Option<&str>) {
        let mut terms = Terms::new();
        let zero = terms.int(0);
        let mut facts = Vec::new();
        for equation in zeros {
            let sum = polynomial(&mut terms, equation);
            facts.push(terms.eq(sum, zero));
        }
        let constraint = polynomial(&mut terms, constraint);
        let constraint = terms.le(constraint, zero);
        let (body, head, marks, note) = (Vec::new(), None, Vec::new(), String::new());
        let clause = Clause { body, constraint, head, marks, note };
        let simple = without_products(&mut terms, &clause, &facts);
        let text = simple.map(|clause| terms.display(clause.constraint).to_string());
        assert_eq!(text.as_deref(), expected, "{zeros:?}");
    }

    #[test]
    fn what_equations_say() {
        let product = [(1, "xy"), (-5, "")];
        check(&[&[(1, "z"), (-1, "xy")]], &product, Some("z <= 5"));
        check(&[&[(2, "z"), (1, "xy"), (3, "")]], &product, Some("z >= -4"));
        // What is known beside that stays.
        check(
            &[&[(1, "z"), (-1, "xy")], &[(1, "x"), (-2, "z")]],
            &product,
            Some("2*z == x && z <= 5"),
        );
        // One equation leads to the other.
        let squares = [(1, "xx"), (-1, "y")];
        check(&[&squares, &[(1, "xxx"), (1, "xx"), (-1, "z")]], &[(1, "xxx")], Some("z <= y"));
        check(&[&[(1, "xxx"), (1, "xx"), (-1, "z")], &squares], &[(1, "xxx")], Some("z <= y"));
    }

    #[test]
    fn what_they_do_not_say() {
        let product = [(1, "xy"), (-5, "")];
        check(&[], &product, None);
        check(&[&[(1, "z"), (-1, "xx")]], &product, None);
        // Twice a product: it need not be even.
        check(&[&[(1, "z"), (-2, "xy")]], &product, None);
        check(&[&[(1, "xy"), (1, "xx"), (-1, "z")]], &product, None);
    }
}
