//! What a condition of the IR means as a formula: for those who read proofs as text and want the
//! formulas that the checker would use.

use std::collections::BTreeMap;

use lakatos_ir::{ExprId, Program, SignedOverflow, VarId};
use lakatos_logic::term::{Sort, Term, Terms};

use crate::encoding::Integers;
use crate::expr::{Evaluated, Evaluator, Maker, Rules};

/// A condition as a formula over mathematical integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truth {
    /// Whether it holds, where it is defined.
    pub holds: Term,
    /// No operation in it is undefined.
    pub defined: Term,
}

/// The formula of a condition; `read` gives the values of variables. `None` where the condition
/// speaks of something that the checker takes for any value: memory, pointers, floats, and
/// variables whose address is taken.
pub fn truth(
    program: &Program,
    terms: &mut Terms,
    condition: ExprId,
    read: impl FnMut(&mut Terms, VarId) -> Term,
) -> Option<Truth> {
    let (holds, defined) = meaning(program, terms, condition, read)?;
    (terms.sort(holds) == Sort::Bool).then_some(Truth { holds, defined })
}

/// The value of a number, where it is defined, in the same way.
pub fn number(
    program: &Program,
    terms: &mut Terms,
    e: ExprId,
    read: impl FnMut(&mut Terms, VarId) -> Term,
) -> Option<Term> {
    let (value, _) = meaning(program, terms, e, read)?;
    (terms.sort(value) == Sort::Int).then_some(value)
}

/// A value, and where it is defined.
fn meaning(
    program: &Program,
    terms: &mut Terms,
    e: ExprId,
    mut read: impl FnMut(&mut Terms, VarId) -> Term,
) -> Option<(Term, Term)> {
    let rules = Rules {
        signed_overflow: SignedOverflow::Undefined,
        overflow_ends: true,
        undefined_ends: true,
    };
    let mut maker = Maker {
        program,
        encoding: &Integers,
        rules,
        terms: std::mem::take(terms),
        facts: Vec::new(),
        selectors: BTreeMap::new(),
        approximate: false,
    };
    let read = |maker: &mut Maker<'_>, var| read(&mut maker.terms, var);
    let Evaluated { value, defined } = Evaluator::new(&mut maker, read).expr(e);
    *terms = maker.terms;
    value.filter(|_| !maker.approximate).map(|value| (value, defined))
}
