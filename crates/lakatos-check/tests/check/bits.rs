//! Proofs that speak of bit-vectors are checked with bit-vectors.

use lakatos_evidence::{Assumption, Draft, Meaning};
use lakatos_ir::loops::Loops;
use lakatos_ir::{Property, SignedOverflow};
use lakatos_logic::term::{BvBinary, BvCompare, Sort, Term, Terms};

use crate::{judge, program};

const COUNT: &str = "int main(void) { int i = 0; while (i < 10) i++; if (i != 10) reach_error(); }";

const MASK: &str = "int main(void) { unsigned i = __VERIFIER_nondet_uint(), j = 0; i = i & 12;
  while (j < 5) { i = (i << 2 | i >> 2) & 15 & ~3u; j++; }
  if (i & 3) reach_error(); }";

/// An invariant of the first loop of `main` over the bits of `i`.
fn verdict(text: &str, claim: impl FnOnce(&mut Terms, Term) -> Term) -> String {
    let property = Property::UnreachCall;
    let subject = program(text, property);
    let program = subject.program();
    let mut draft = Draft::new(program, property);
    draft.assume(Assumption::of(program, property, SignedOverflow::Undefined));
    let (var, _) = program.vars.iter().find(|(_, var)| var.name == "i").unwrap();
    let symbol = draft.symbol(Meaning::now(var), Sort::BitVec(32));
    let formula = claim(draft.terms(), symbol);
    let body = program.procs[program.main].body.as_ref().unwrap();
    draft.invariant(program.main, Loops::new(body).cut_points()[0], formula).unwrap();
    judge(&subject, draft.finish(), SignedOverflow::Undefined)
}

#[test]
fn comparisons() {
    let at_most = |bound: i64, compare| {
        verdict(COUNT, move |terms, i| {
            let bound = terms.bv(bound, 32);
            terms.bv_compare(compare, i, bound)
        })
    };
    assert_eq!(at_most(10, BvCompare::Sle), "checked");
    assert_eq!(at_most(10, BvCompare::Ule), "checked");
    assert_eq!(at_most(9, BvCompare::Sle), "main: invariant");
    assert_eq!(at_most(11, BvCompare::Sle), "main: error");
    assert_eq!(at_most(0, BvCompare::Slt), "main: invariant");
}

#[test]
fn masks() {
    let masked = |mask: i64| {
        verdict(MASK, move |terms, i| {
            let (mask, zero) = (terms.bv(mask, 32), terms.bv(0, 32));
            let low = terms.bv_binary(BvBinary::And, i, mask);
            terms.eq(low, zero)
        })
    };
    assert_eq!(masked(3), "checked");
    assert_eq!(masked(1), "main: error");
    assert_eq!(masked(7), "main: invariant");
}
