//! Whether the recursion of a definition ends: then there is one function that satisfies it, and
//! to use it assumes nothing.

use rustc_hash::FxHashMap;

use super::Definition;
use crate::smt::{Answer, Smt};
use crate::term::{Node, Sort, Symbol, Term, Terms};

/// Why a definition has a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// It does not use itself.
    Plain,
    /// Whenever it uses itself this number of its parameters is not negative, and smaller for the
    /// use.
    Decreasing(Term),
}

/// `None`: no measure was found, so the definition is an assumption.
pub fn measure(terms: &mut Terms, smt: &mut Smt, definition: &Definition) -> Option<Measure> {
    let mut uses = Vec::new();
    // Without parameters it is a variable, and uses itself at the same values.
    if definition.parameters.is_empty() {
        let own = terms.apply(definition.function, &[]);
        let uses_itself = terms.parts_first(&[definition.body]).contains(&own);
        return (!uses_itself).then_some(Measure::Plain);
    }
    collect(terms, definition, definition.body, &mut Vec::new(), &mut uses)?;
    if uses.is_empty() {
        return Some(Measure::Plain);
    }
    let candidates = candidates(terms, &definition.parameters);
    candidates
        .into_iter()
        .find(|candidate| uses.iter().all(|one| decreases(terms, smt, definition, *candidate, one)))
        .map(Measure::Decreasing)
}

/// Numbers of parameters that may get smaller: one, or the difference of two.
pub(super) fn candidates(terms: &mut Terms, parameters: &[Symbol]) -> Vec<Term> {
    let numbers: Vec<Term> = parameters
        .iter()
        .filter(|p| terms.symbol_sort(**p) == Sort::Int)
        .copied()
        .collect::<Vec<_>>()
        .into_iter()
        .map(|p| terms.symbol_term(p))
        .collect();
    let mut found = numbers.clone();
    for a in &numbers {
        for b in &numbers {
            if a != b {
                found.push(terms.sub(*a, *b));
            }
        }
    }
    found
}

/// A use of the function in its own body: with these arguments, under these conditions.
struct Use {
    arguments: Vec<Term>,
    conditions: Vec<Term>,
}

/// Finds the uses in a part of the body. `None` if one is where its value may matter whatever
/// conditions say, in a place that is not looked into.
fn collect(
    terms: &mut Terms,
    definition: &Definition,
    part: Term,
    conditions: &mut Vec<Term>,
    uses: &mut Vec<Use>,
) -> Option<()> {
    let is_use = |terms: &Terms, term: Term| matches!(terms.node(term), Node::Apply(function, _) if *function == definition.function);
    if !terms.parts_first(&[part]).into_iter().any(|term| is_use(terms, term)) {
        return Some(());
    }
    match terms.node(part).clone() {
        Node::Ite(condition, then, otherwise) => {
            collect(terms, definition, condition, conditions, uses)?;
            let negation = terms.not(condition);
            for (holds, branch) in [(condition, then), (negation, otherwise)] {
                conditions.push(holds);
                collect(terms, definition, branch, conditions, uses)?;
                conditions.pop();
            }
        }
        // Where another part decides, the use does not matter.
        Node::And(parts) => guarded(terms, definition, &parts, true, conditions, uses)?,
        Node::Or(parts) => guarded(terms, definition, &parts, false, conditions, uses)?,
        Node::Quantified(..) => return None,
        _ => {
            if let Node::Apply(function, arguments) = terms.node(part).clone()
                && function == definition.function
            {
                let arguments = arguments.to_vec();
                uses.push(Use { arguments, conditions: conditions.clone() });
            }
            for child in terms.node(part).parts() {
                collect(terms, definition, child, conditions, uses)?;
            }
        }
    }
    Some(())
}

/// The parts of a conjunction, or of a disjunction: those without uses decide first.
fn guarded(
    terms: &mut Terms,
    definition: &Definition,
    parts: &[Term],
    is_and: bool,
    conditions: &mut Vec<Term>,
    uses: &mut Vec<Use>,
) -> Option<()> {
    let uses_it = |terms: &Terms, part: Term| {
        terms.parts_first(&[part]).into_iter().any(|term| {
            matches!(terms.node(term), Node::Apply(function, _) if *function == definition.function)
        })
    };
    let before = conditions.len();
    for part in parts {
        if !uses_it(terms, *part) {
            let decides = if is_and { *part } else { terms.not(*part) };
            conditions.push(decides);
        }
    }
    for part in parts {
        if uses_it(terms, *part) {
            collect(terms, definition, *part, conditions, uses)?;
        }
    }
    conditions.truncate(before);
    Some(())
}

fn decreases(
    terms: &mut Terms,
    smt: &mut Smt,
    definition: &Definition,
    measure: Term,
    one: &Use,
) -> bool {
    let map: FxHashMap<Symbol, Term> =
        definition.parameters.iter().copied().zip(one.arguments.iter().copied()).collect();
    let then = terms.substitute(measure, &map);
    let zero = terms.int(0);
    let good = [terms.ge(measure, zero), terms.lt(then, measure)];
    let good = terms.and(good);
    let mut query = one.conditions.clone();
    query.push(terms.not(good));
    smt.check(terms, &query) == Answer::Unsat
}
