//! What users say of loops: claims that are tried before the guesses, and with them.
//!
//! Nothing of it is believed. So a pointer may be taken for the array that it was made to point to
//! first, and a copy of a function for the one that is meant: a wrong choice is a claim that fails.

use std::collections::{BTreeMap, BTreeSet};

use lakatos_evidence::{Draft, Meaning, Slot};
use lakatos_ir::{Cfa, LocId, Program, Span, Type, VarId, behind};
use lakatos_logic::term::{Sort, Symbol, Term, Terms};
use rustc_hash::FxHashMap;

use super::Claim;

/// Something that is said to hold whenever a run is at the head of a loop. The formula is one of the
/// arena of what is known beside the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The loop as a statement.
    pub at: Span,
    pub formula: Term,
    /// What the symbols stand for: variables, by the names in their declarations. Those of arrays
    /// stand for what the variable, or what it points to, has as elements.
    pub variables: Vec<(Symbol, Span)>,
}

/// Remarks as claims about the start, at each copy of their loops where all variables are known.
pub(super) fn claims(
    program: &Program,
    draft: &mut Draft<'_>,
    terms: &Terms,
    remarks: &[Remark],
    wanted: &BTreeMap<LocId, BTreeSet<VarId>>,
) -> Vec<Claim> {
    let Some(body) = &program.procs[program.start].body else { return Vec::new() };
    let mut claims = Vec::new();
    for remark in remarks {
        for (&head, live) in wanted.iter().filter(|(head, _)| body.locs[**head].span == remark.at) {
            let place = Place { program, body, live };
            let Some(formula) = place.said(draft, terms, remark) else { continue };
            let slot = Slot::Invariant(program.start, head);
            claims.extend(draft.terms().conjuncts(formula).into_iter().map(|part| (slot, part)));
        }
    }
    claims
}

/// In how many places the loop of a remark begins.
pub(super) fn heads(
    program: &Program,
    remark: &Remark,
    wanted: &BTreeMap<LocId, BTreeSet<VarId>>,
) -> usize {
    let Some(body) = &program.procs[program.start].body else { return 0 };
    wanted.keys().filter(|head| body.locs[**head].span == remark.at).count()
}

/// A head of a loop.
struct Place<'a> {
    program: &'a Program,
    body: &'a Cfa,
    /// What matters there.
    live: &'a BTreeSet<VarId>,
}

impl Place<'_> {
    /// A remark in the words of a proof; `None` if one of its variables cannot be spoken of.
    fn said(&self, draft: &mut Draft<'_>, terms: &Terms, remark: &Remark) -> Option<Term> {
        let mut values: FxHashMap<Symbol, Term> = FxHashMap::default();
        for (symbol, declared) in &remark.variables {
            let sort = terms.symbol_sort(*symbol);
            let var = self.meant(*declared, sort != Sort::Int)?;
            values.insert(*symbol, value(self.program, draft, var));
        }
        let known = |_: &mut Terms, symbol: Symbol, _| values.get(&symbol).copied().ok_or(());
        draft.terms().import_as(terms, remark.formula, known).ok()
    }

    /// The variable that a declaration means here: that of the copy whose variables matter.
    fn meant(&self, declared: Span, is_array: bool) -> Option<VarId> {
        let vars = self.program.vars.iter();
        let own = vars.filter(|(_, var)| var.span == declared && !var.kind.is_ghost());
        let followed = own.filter_map(|(var, _)| match is_array {
            true => behind::array(self.program, self.body, var),
            false => self.number(var),
        });
        let all: BTreeSet<VarId> = followed.collect();
        let mut here = all.intersection(self.live);
        match (here.next(), here.next(), all.len()) {
            (Some(only), None, _) => Some(*only),
            (None, _, 1) => all.first().copied(),
            _ => None,
        }
    }

    /// The variable that has the value of a number.
    fn number(&self, var: VarId) -> Option<VarId> {
        self.program.vars[var].ty.as_int()?;
        match self.program.vars[var].address_taken {
            true => behind::cell(self.program, var)
                .filter(|cell| self.program.vars[*cell].ty.as_int().is_some()),
            false => Some(var),
        }
    }
}

/// What a remark takes for a variable: a number, or an array of them.
pub(super) fn value(program: &Program, draft: &mut Draft<'_>, var: VarId) -> Term {
    if program.whole_array(var).is_some() {
        let sort = draft.terms().array_sort(Sort::Int, Sort::Int);
        return draft.symbol(Meaning::now(var), sort);
    }
    if program.vars[var].ty != Type::BOOL {
        return draft.symbol(Meaning::now(var), Sort::Int);
    }
    let truth = draft.symbol(Meaning::now(var), Sort::Bool);
    let terms = draft.terms();
    let (one, zero) = (terms.int(1), terms.int(0));
    terms.ite(truth, one, zero)
}
