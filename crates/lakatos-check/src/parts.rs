//! The formulas of a proof, each in parts that are shown one by one.

use std::collections::{BTreeMap, BTreeSet};

use lakatos_evidence::{Proof, Slot};
use lakatos_ir::{LocId, ProcId};
use lakatos_logic::term::Term;

/// A part of a formula, by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Part {
    pub slot: Slot,
    pub number: usize,
}

/// All parts: the conjuncts of the formulas.
#[derive(Debug)]
pub(crate) struct Parts(BTreeMap<Slot, Vec<Term>>);

impl Parts {
    pub fn new(proof: &Proof) -> Parts {
        let parts = |(slot, formula)| (slot, proof.terms().conjuncts(formula));
        Parts(proof.formulas().map(parts).collect())
    }

    /// Each claim is a part, in the place of what the proof says; with the part that it is.
    pub fn of_claims(proof: &Proof, claims: &[(Slot, Term)]) -> (Parts, Vec<Part>) {
        let mut parts: BTreeMap<Slot, Vec<Term>> =
            proof.formulas().map(|(slot, _)| (slot, Vec::new())).collect();
        let numbers = claims.iter().map(|(slot, formula)| {
            let here = parts.entry(*slot).or_default();
            here.push(*formula);
            Part { slot: *slot, number: here.len() - 1 }
        });
        let numbers = numbers.collect();
        (Parts(parts), numbers)
    }

    /// None where the proof says nothing.
    pub fn of(&self, slot: Slot) -> impl Iterator<Item = (Part, Term)> + '_ {
        let parts = self.0.get(&slot).into_iter().flatten().enumerate();
        parts.map(move |(number, formula)| (Part { slot, number }, *formula))
    }

    pub fn all(&self) -> impl Iterator<Item = (Part, Term)> + '_ {
        self.0.keys().flat_map(|slot| self.of(*slot))
    }

    /// The locations of a procedure that have an invariant.
    pub fn cuts(&self, proc: ProcId) -> BTreeSet<LocId> {
        let at = |slot: &Slot| match slot {
            Slot::Invariant(own, loc) if *own == proc => Some(*loc),
            _ => None,
        };
        self.0.keys().filter_map(at).collect()
    }
}
