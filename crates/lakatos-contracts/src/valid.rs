//! What functions may do with the pointers that they are given: `\\valid` in preconditions.
//!
//! A proof of memory safety says of a pointer which object it points to, how far into it, and whether
//! that is alive. ACSL has one word for what that is good for. It is written where the proof's
//! precondition implies it, and every call is proved to satisfy that one.

use std::collections::BTreeMap;

use lakatos_evidence::{Contract, Proof};
use lakatos_ir::{Bytes, FollowedPointer, Program, Property, Space, Type, VarId};
use lakatos_logic::smt::{Answer, Limits, Smt};
use lakatos_logic::term::{Sort, Term, Terms};

use crate::names::Names;

const DECIDED: Limits = Limits { resources: Some(1_000_000), time: None };

/// The clauses about the parameters of a procedure that are pointers.
pub(crate) fn clauses(names: Names<'_>, proof: &Proof, contract: &Contract) -> Vec<String> {
    let about_accesses = proof.property().is_some_and(|p| p.includes(Property::ValidDeref));
    if !about_accesses || proof.in_bits() {
        return Vec::new();
    }
    let mut known = Known::new(names.program, proof, contract);
    let params = &names.program.procs[names.proc].params;
    params.iter().filter_map(|param| known.clause(names, *param)).collect()
}

/// What a precondition says.
struct Known<'a> {
    program: &'a Program,
    terms: Terms,
    requires: Term,
    /// The values that it speaks of.
    spoken: BTreeMap<VarId, Term>,
    smt: Smt,
}

impl Known<'_> {
    fn new<'a>(program: &'a Program, proof: &Proof, contract: &Contract) -> Known<'a> {
        let (mut terms, from) = (Terms::new(), proof.terms());
        let requires = terms.import(from, &[contract.requires])[0];
        let mut spoken = BTreeMap::new();
        for symbol in from.free_symbols(contract.requires) {
            let own = terms.symbol(from.symbol_name(symbol), from.symbol_sort(symbol));
            spoken.insert(proof.meaning(symbol).var, own);
        }
        Known { program, terms, requires, spoken, smt: Smt::new(DECIDED) }
    }

    /// As many elements as a number says that is given, too, or one more, or else one.
    fn clause(&mut self, names: Names<'_>, param: VarId) -> Option<String> {
        let pointer = self.program.followed.get(&param)?;
        let var = &self.program.vars[param];
        let element = self.program.types.inner(var.ty).filter(|ty| *ty != Type::Void)?;
        let size = i128::from(self.program.types.size(element)).max(1);
        let name = names.variable(names.contract_scope(), param)?;
        let is_constant = |space: &Space| matches!(space, Space::Object { is_constant: true, .. });
        let only_read =
            var.c_type.starts_with("const ") || pointer.targets.values().any(is_constant);
        let word = if only_read { "\\valid_read" } else { "\\valid" };
        let counts = self.program.procs[names.proc].params.iter();
        for count in counts.filter(|count| self.program.vars[**count].ty.as_int().is_some()) {
            let (Some(&times), Some(count)) =
                (self.spoken.get(count), names.variable(names.contract_scope(), *count))
            else {
                continue;
            };
            if self.terms.sort(times) != Sort::Int {
                continue;
            }
            for (last, more) in [(count.clone(), 1), (format!("{count} - 1"), 0)] {
                let (size, more) = (self.terms.int(size), self.terms.int(more));
                let elements = self.terms.add(times, more);
                let bytes = self.terms.mul(elements, size);
                if self.implies_valid(pointer, bytes) {
                    return Some(format!("{word}({name} + (0 .. {last}))"));
                }
            }
        }
        let size = self.terms.int(size);
        self.implies_valid(pointer, size).then(|| format!("{word}({name})"))
    }

    fn implies_valid(&mut self, pointer: &FollowedPointer, bytes: Term) -> bool {
        let Some(valid) = self.valid(pointer, bytes) else { return false };
        let zero = self.terms.int(0);
        let none = self.terms.le(bytes, zero);
        let valid = self.terms.or([none, valid]);
        self.smt.refute(&mut self.terms, &[self.requires], valid) == Answer::Unsat
    }

    /// So many bytes are there. `None`: the precondition does not speak of it.
    fn valid(&mut self, pointer: &FollowedPointer, bytes: Term) -> Option<Term> {
        let mut ways = Vec::new();
        for (number, space) in &pointer.targets {
            let there = match *space {
                Space::None => continue,
                Space::Other => Term::TRUE,
                Space::Object { alive, size, .. } => self.within(pointer, alive, size, bytes)?,
            };
            let is_it = match pointer.targets.len() {
                1 => Term::TRUE,
                _ => {
                    let (object, number) =
                        (*self.spoken.get(&pointer.object)?, self.terms.int(*number));
                    self.terms.eq(object, number)
                }
            };
            ways.push(self.terms.and([is_it, there]));
        }
        Some(self.terms.or(ways))
    }

    fn within(
        &mut self,
        pointer: &FollowedPointer,
        alive: Option<VarId>,
        size: Bytes,
        bytes: Term,
    ) -> Option<Term> {
        let alive = match alive {
            Some(alive) => *self.spoken.get(&alive)?,
            None => Term::TRUE,
        };
        let zero = self.terms.int(0);
        let offset = match pointer.unit {
            0 => zero,
            unit => {
                let (units, unit) = (*self.spoken.get(&pointer.offset)?, self.terms.int(unit));
                self.terms.mul(units, unit)
            }
        };
        let size = match size {
            Bytes::Known(size) => self.terms.int(i128::from(size)),
            Bytes::Held(held) => *self.spoken.get(&held)?,
        };
        let end = self.terms.add(offset, bytes);
        let (after, before) = (self.terms.le(zero, offset), self.terms.le(end, size));
        Some(self.terms.and([alive, after, before]))
    }
}
