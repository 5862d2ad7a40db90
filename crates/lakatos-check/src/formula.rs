//! The proof's formulas at a point of the program: values in place of what their symbols mean.

use std::collections::BTreeMap;
use std::convert::Infallible;

use lakatos_evidence::{Meaning, Proof};
use lakatos_ir::{IntType, Type};
use lakatos_logic::number::Int;
use lakatos_logic::term::{Sort, Term, Terms};

use crate::expr::Maker;

/// A formula of the proof. What has no value here (memory, a variable of another frame) is any
/// value of its sort: what is assumed gets weaker, and what has to be shown stronger.
pub(crate) fn instantiate(
    maker: &mut Maker<'_>,
    proof: &Proof,
    formula: Term,
    values: &BTreeMap<Meaning, Term>,
) -> Term {
    let program = maker.program;
    let approximate = &mut maker.approximate;
    let imported = maker.terms.import_as(proof.terms(), formula, |terms, symbol, sort| {
        let meaning = proof.meaning(symbol);
        let value = values.get(&meaning).and_then(|term| match program.vars[meaning.var].ty {
            Type::Int(ty) => convert(terms, *term, ty, sort),
            _ => (terms.sort(*term) == sort).then_some(*term),
        });
        Ok::<Term, Infallible>(value.unwrap_or_else(|| {
            *approximate = true;
            terms.fresh("any", sort)
        }))
    });
    match imported {
        Ok(term) => term,
        Err(never) => match never {},
    }
}

/// A value in the sort that a proof speaks of it in.
fn convert(terms: &mut Terms, term: Term, ty: IntType, sort: Sort) -> Option<Term> {
    match (terms.sort(term), sort) {
        (have, wanted) if have == wanted => Some(term),
        (Sort::Int, Sort::BitVec(width)) => Some(terms.int_to_bv(width, term)),
        (Sort::BitVec(_), Sort::Int) if ty.signed => Some(terms.bv_to_signed_int(term)),
        (Sort::BitVec(_), Sort::Int) => Some(terms.bv_to_int(term)),
        (Sort::Bool, Sort::Int) => {
            let (one, zero) = (terms.int(Int::ONE), terms.int(Int::ZERO));
            Some(terms.ite(term, one, zero))
        }
        _ => None,
    }
}
