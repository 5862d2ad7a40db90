//! What a condition of the IR means as a formula: for those who read proofs as text and want the
//! formulas that the checker would use.

use std::collections::BTreeMap;

use lakatos_ir::{ExprId, Program, SignedOverflow, VarId};
use lakatos_logic::term::{Term, Terms};

use crate::encoding::Integers;
use crate::expr::{Evaluator, Maker, Rules};

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
    mut read: impl FnMut(&mut Terms, VarId) -> Term,
) -> Option<Truth> {
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
    let (holds, defined) =
        Evaluator::new(&mut maker, |maker: &mut Maker<'_>, var| read(&mut maker.terms, var))
            .truth(condition);
    *terms = maker.terms;
    (!maker.approximate).then_some(Truth { holds, defined })
}
